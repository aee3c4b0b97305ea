/** What `GET /metrics` tells of requests: how many, how long they took, and what came of writes. */

import { expect } from 'chai';
import { ERRORS } from '../../../src/model/errors.ts';
import type { Service } from '../../../src/service/service.ts';
import { Instruments } from '../../../src/service/metrics/instruments.ts';
import { createRequestMetrics } from '../../../src/service/metrics/request-metrics.ts';
import { Registry as Metrics } from 'prom-client';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { valueOf } from '../../support/metrics.ts';
import { startTestService } from '../../support/start-test-service.ts';

const DURATIONS = 'gsls_http_request_duration_seconds';
const WRITES = 'gsls_writes_total';
const SENT = 'gsls_http_response_bytes_total';

describe('the metrics of requests', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startTestService({ GSLS_RATE_LIMIT: 'remove=1/h' });
  });
  afterEach(() => service.close());

  const metrics = async (): Promise<string> => (await ask(service, 'GET /metrics')).text;

  it('count each request by its route, method and status, on either path', async () => {
    await ask(service, 'GET /health');
    await ask(service, 'GET /health?koa');
    await ask(service, 'HEAD /health');
    await ask(service, 'GET /servers/a');
    await ask(service, 'GET /servers/b');
    await ask(service, 'BREW /pot');
    const text = await metrics();
    expect(valueOf(text, `${DURATIONS}_count`, { route: '/health', method: 'GET', status: 200 })).to.equal(2);
    expect(valueOf(text, `${DURATIONS}_count`, { route: '/health', method: 'HEAD', status: 200 })).to.equal(
      1,
    );
    expect(
      valueOf(text, `${DURATIONS}_count`, { route: '/servers/{id}', method: 'GET', status: 404 }),
    ).to.equal(2);
  });

  it('have no label that a client can choose', async () => {
    for (const path of ['/a', '/b', '/servers/a/b', '/health/', '/%22%0a', '/join/x'])
      for (const method of ['GET', 'PUT', 'PURGE', 'PROPFIND']) await ask(service, `${method} ${path}`);
    const text = await metrics();
    const series = [...text.matchAll(/_count\{route="(.*?)",method="(.*?)",status="(.*?)"\}/g)];
    expect(series.map(([, ...labels]) => labels)).to.deep.equal([
      ['none', 'GET', '404'],
      ['none', 'other', '404'],
    ]);
  });

  it('put each duration into the bucket of its seconds', async () => {
    const prometheus = new Metrics();
    const { onAnswered } = createRequestMetrics(new Instruments(prometheus));
    const exchange = { request: { method: 'GET' } } as never;
    const rest = {
      exchange,
      route: '/',
      status: 200,
      code: undefined,
      bytes: 1,
      encoding: 'identity',
    } as const;
    for (const durationMs of [1, 30, 2500, 90_000]) onAnswered({ ...rest, durationMs });
    const text = await prometheus.metrics();
    const labels = { route: '/', method: 'GET', status: 200 };
    const counts = ['0.001', '0.025', '0.05', '2.5', '+Inf'].map((le) =>
      valueOf(text, `${DURATIONS}_bucket`, { le, ...labels }),
    );
    expect(counts).to.deep.equal([1, 1, 2, 3, 4]);
    expect(valueOf(text, `${DURATIONS}_sum`, labels)).to.be.closeTo(92.531, 1e-6);
  });

  it('count what came of each write, and say 0 of all that did not happen', async () => {
    const before = await metrics();
    for (const operation of ['broadcast', 'ping', 'remove'])
      for (const [code, { status }] of Object.entries(ERRORS))
        expect(
          valueOf(before, WRITES, { operation, outcome: status < 500 ? 'refused' : 'failed', code }),
        ).to.equal(0);
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: body.server_id }) });
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: 'unknown' }) });
    await ask(service, 'POST /ping', { body: 'no JSON' });
    await ask(service, 'OPTIONS /ping');
    const after = await metrics();
    expect(valueOf(after, WRITES, { operation: 'broadcast', outcome: 'success', code: 'none' })).to.equal(1);
    expect(valueOf(after, WRITES, { operation: 'ping', outcome: 'success', code: 'none' })).to.equal(1);
    expect(
      valueOf(after, WRITES, { operation: 'ping', outcome: 'refused', code: 'unknown_server' }),
    ).to.equal(1);
    expect(valueOf(after, WRITES, { operation: 'ping', outcome: 'refused', code: 'invalid_json' })).to.equal(
      1,
    );
    expect(valueOf(after, WRITES, { operation: 'remove', outcome: 'success', code: 'none' })).to.equal(0);
  });

  it('count the requests that a rate limit refused, by their kind', async () => {
    for (let n = 0; n < 3; n += 1)
      await ask(service, 'POST /remove', { body: { server_id: 'a', server_ip: '203.0.113.7' } });
    const text = await metrics();
    expect(
      ['broadcast', 'ping', 'remove', 'list', 'join', 'doctor'].map((kind) =>
        valueOf(text, 'gsls_rate_limited_total', { kind }),
      ),
    ).to.deep.equal([0, 0, 2, 0, 0, 0]);
  });

  it('count the bytes of bodies by their encoding', async () => {
    const before = await metrics();
    expect(valueOf(before, SENT, { encoding: 'gzip' })).to.equal(0);
    const { bytes } = await ask(service, 'GET /', { headers: { 'Accept-Encoding': 'gzip' } });
    await ask(service, 'HEAD /', { headers: { 'Accept-Encoding': 'gzip' } });
    const after = await metrics();
    expect(valueOf(after, SENT, { encoding: 'gzip' })).to.equal(bytes.length);
    expect(valueOf(after, SENT, { encoding: 'identity' })).to.equal(Buffer.byteLength(before));
    expect(valueOf(after, SENT, { encoding: 'br' })).to.equal(0);
  });
});
