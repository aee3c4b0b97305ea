import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { chooseEncoding } from '../../src/http/negotiation.ts';
import type { Service } from '../../src/service/service.ts';
import { aBroadcast } from '../support/builders.ts';
import { until } from '../support/processes.ts';
import { startTestService } from '../support/start-test-service.ts';

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function get(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(url, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    asking.on('error', reject);
    asking.end();
  });
}

describe('the encoding of the list', () => {
  const table: [header: string, chosen: string | undefined][] = [
    ['gzip, deflate, br', 'gzip'],
    ['br', 'br'],
    ['BR;Q=1.0, gzip;q=0.5', 'br'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0, *', 'br'],
    ['*', 'gzip'],
    ['*;q=0', undefined],
    ['*;q=0, identity', 'identity'],
    ['identity;q=0', undefined],
    ['identity;q=0, br;q=0.1', 'br'],
    ['identity, gzip;q=0.9', 'identity'],
    ['deflate, zstd', 'identity'],
    ['x-gzip', 'gzip'],
    ['', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [';;,,=;q=', 'identity'],
  ];
  for (const [header, chosen] of table) {
    it(`is ${chosen ?? 'refused'} for "${header}"`, () => {
      expect(chooseEncoding(header, ['gzip', 'br'])).to.equal(chosen);
    });
  }

  let service: Service;
  before(async () => {
    service = await startTestService();
    for (let i = 0; i < 100; i += 1) {
      await fetch(`${service.url}/broadcast`, {
        method: 'POST',
        body: JSON.stringify(aBroadcast({ server_port: i + 1 })),
      });
    }
  });
  after(() => service.close());

  it('changes nothing about what the list says', async () => {
    const plain = await get(service.url, {});
    const gzip = await get(service.url, { 'Accept-Encoding': 'gzip' });
    // Made once the list is at rest.
    let br = plain;
    await until(async () => {
      br = await get(service.url, { 'Accept-Encoding': 'br' });
      return br.headers['content-encoding'] !== undefined;
    });
    expect(plain.headers).to.not.have.property('content-encoding');
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(br.headers['content-encoding']).to.equal('br');
    expect(gunzipSync(gzip.body).equals(plain.body)).to.equal(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).to.equal(true);
    for (const { headers, body } of [plain, gzip, br]) {
      expect(headers.vary).to.equal('Accept-Encoding');
      expect(headers['content-length']).to.equal(String(body.length));
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    }
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).to.equal(3);
  });

  it('is told by HEAD as well, without the body', async () => {
    const whole = await get(service.url, { 'Accept-Encoding': 'gzip' });
    const head = await get(service.url, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect(head.body.length).to.equal(0);
    for (const name of ['content-length', 'content-encoding', 'etag', 'vary', 'cache-control'] as const) {
      expect(head.headers[name]).to.equal(whole.headers[name]);
    }
  });

  it('answers 406 in plain JSON when the client refuses all of them', async () => {
    const { status, headers, body } = await get(service.url, { 'Accept-Encoding': 'identity;q=0' });
    expect(status).to.equal(406);
    expect(headers).to.not.have.property('content-encoding');
    expect(JSON.parse(body.toString())).to.include({ status: 'error', code: 'not_acceptable' });
  });
});
