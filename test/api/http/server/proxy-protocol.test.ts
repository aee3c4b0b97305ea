/** --proxy-protocol: a proxy that passes TCP names the client at the beginning of each connection. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { awaitProxyHeaders } from '../../../../src/api/http/server/proxy-protocol.ts';
import { parseNetworks } from '../../../../src/model/net/networks.ts';
import type { Service } from '../../../../src/service/service.ts';
import { runHere } from '../../../cli/run-here.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { listen } from '../../../support/listen.ts';
import { proxyHeader, rawProxyHeader } from '../../../support/proxy-header.ts';
import {
  jsonOf,
  openRawConnection,
  plainRequest,
  type RawConnection,
} from '../../../support/raw-connection.ts';
import { runs } from '../../../support/runs.ts';
import { silentLogger, startTestService } from '../../../support/start-test-service.ts';
import { until } from '../../../support/until.ts';

/** The connections of these tests come from a proxy at 127.0.0.1, unless from a client at 127.0.0.2 itself. */
const ENVIRONMENT = {
  GSLS_PROXY_PROTOCOL: 'true',
  GSLS_TRUST_PROXY: '127.0.0.1,10.0.0.0/8',
  GSLS_LOG_LEVEL: 'debug',
};
const DIRECT = '127.0.0.2';
const HEALTH = plainRequest('GET /health');
const OWN = rawProxyHeader(0x20, 0, Buffer.alloc(0));

type Line = Readonly<Record<string, unknown>>;

describe('a service with --proxy-protocol', () => {
  let service: Service;
  const lines: Line[] = [];
  const open: RawConnection[] = [];
  const note = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const logger = { ...silentLogger, debug: note, warn: note };

  before(async () => {
    service = await startTestService(ENVIRONMENT, logger);
  });
  after(() => service.close());
  beforeEach(() => lines.splice(0));
  afterEach(() => {
    for (const connection of open.splice(0)) connection.destroy();
  });

  async function connectTo(
    target: { readonly url: string } = service,
    from?: string,
  ): Promise<RawConnection> {
    const connection = await openRawConnection(target, from);
    open.push(connection);
    return connection;
  }

  /** The client of each request that was answered. */
  const clients = (): unknown[] =>
    lines.filter(({ message }) => message === 'a request was answered').map(({ address }) => address);

  /** What is said of a connection that begins with these bytes. */
  async function refusalOf(target: Service, bytes: string | Buffer): Promise<string> {
    const connection = await connectTo(target);
    const answer = await connection.send(bytes).answer();
    await connection.end();
    expect(answer.status).to.equal(400);
    const { code, error } = jsonOf(answer);
    expect(code).to.equal('invalid_request');
    return String(error).replace(
      /^a connection from a proxy has to begin with .* \(--proxy-protocol\), and /,
      '',
    );
  }

  for (const [named, client] of [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:0:1::7', '2001:db8::1:0:0:7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '::1'],
  ] as const)
    it(`takes the client that a proxy names, ${named}, for all requests of the connection`, async () => {
      const connection = await connectTo();
      connection.send(Buffer.concat([proxyHeader(named), Buffer.from(HEALTH)]));
      expect((await connection.answer()).status).to.equal(200);
      expect((await connection.send(HEALTH).answer()).status).to.equal(200);
      expect(clients()).to.deep.equal([client, client]);
    });

  it('lists a game server at the address of the client', async () => {
    const connection = await connectTo();
    const request = plainRequest('POST /broadcast', aBroadcast({ server_ip: 'auto' }));
    expect((await connection.send(proxyHeader('203.0.113.9')).send(request).answer()).status).to.equal(200);
    const { servers } = jsonOf(await connection.send(plainRequest('GET /')).answer());
    expect((servers as { ip: string }[]).map(({ ip }) => ip)).to.include('203.0.113.9');
  });

  it('reads past what a proxy tells beside the addresses, in pieces of any length', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
        fc.uint8Array({ maxLength: 300 }),
        async (lengths, more) => {
          lines.splice(0);
          const connection = await connectTo();
          let rest = Buffer.concat([
            proxyHeader('203.0.113.7', Buffer.from(more)),
            Buffer.from(HEALTH + HEALTH),
          ]);
          for (const length of lengths) {
            connection.send(rest.subarray(0, length));
            rest = rest.subarray(length);
            await new Promise((resolve) => setImmediate(resolve));
          }
          connection.send(rest);
          for (const _ of [1, 2]) expect((await connection.answer()).status).to.equal(200);
          expect(clients()).to.deep.equal(['203.0.113.7', '203.0.113.7']);
          connection.destroy();
        },
      ),
      { numRuns: runs(30) },
    ));

  it('takes a request after the header of a health check for one of the proxy itself', async () => {
    const withRest = rawProxyHeader(0x20, 0, Buffer.alloc(20));
    for (const header of [OWN, withRest]) {
      const connection = await connectTo();
      expect((await connection.send(header).send(HEALTH).answer()).status).to.equal(200);
    }
    expect(clients()).to.deep.equal(['127.0.0.1', '127.0.0.1']);
  });

  it('does not believe the headers of a client that a proxy names, unless that is a trusted proxy', async () => {
    const forwarded = HEALTH.replace('\r\n\r\n', '\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n');
    for (const named of ['203.0.113.7', '10.0.0.9']) {
      const connection = await connectTo();
      expect((await connection.send(proxyHeader(named)).send(forwarded).answer()).status).to.equal(200);
    }
    expect(clients()).to.deep.equal(['203.0.113.7', '192.0.2.1']);
  });

  it('takes no such header from anyone else', async () => {
    const direct = await connectTo(service, DIRECT);
    expect((await direct.send(HEALTH).answer()).status).to.equal(200);
    const forger = await connectTo(service, DIRECT);
    expect((await forger.send(proxyHeader('203.0.113.7')).send(HEALTH).answer()).status).to.equal(400);
    const late = await connectTo();
    late.send(proxyHeader('203.0.113.7')).send(HEALTH);
    await late.answer();
    expect((await late.send(proxyHeader('198.51.100.7')).send(HEALTH).answer()).status).to.equal(400);
    expect(clients()).to.deep.equal([DIRECT, '203.0.113.7']);
  });

  it('says what is wrong with a connection of a proxy, to the client, and once in the log', async () => {
    const ipv4 = Buffer.alloc(12);
    const other = await startTestService(ENVIRONMENT, logger);
    try {
      expect(await refusalOf(other, HEALTH)).to.equal('this one has none');
      expect(await refusalOf(other, 'PROXY TCP4 203.0.113.7 10.0.0.1 1 2\r\n' + HEALTH)).to.equal(
        'this one has version 1',
      );
      expect(await refusalOf(other, rawProxyHeader(0x31, 0x11, ipv4))).to.equal(
        'this one has another version',
      );
      expect(await refusalOf(other, rawProxyHeader(0x22, 0x11, ipv4))).to.equal(
        'this one has another version',
      );
      expect(await refusalOf(other, rawProxyHeader(0x21, 0x11, ipv4, 4097))).to.equal(
        'this one has one of more than 4112 bytes',
      );
      // Of UDP, of a Unix socket, of nothing, and too short.
      for (const family of [0x12, 0x31, 0x00])
        expect(await refusalOf(other, rawProxyHeader(0x21, family, Buffer.alloc(216)))).to.equal(
          'this one names no client of TCP',
        );
      for (const [family, length] of [
        [0x11, 11],
        [0x21, 35],
      ] as const)
        expect(await refusalOf(other, rawProxyHeader(0x21, family, Buffer.alloc(length)))).to.equal(
          'this one names no client of TCP',
        );
    } finally {
      await other.close();
    }
    expect(clients()).to.deep.equal([]);
    const warnings = lines.filter(({ message }) =>
      String(message).startsWith('a trusted proxy opens connections'),
    );
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.include({ address: '127.0.0.1' });
  });

  it('forgets a connection that ends before its header is whole', async () => {
    for (const bytes of ['', OWN.subarray(0, 7), proxyHeader('203.0.113.7').subarray(0, 20)]) {
      const connection = await connectTo();
      connection.send(bytes).socket.end();
      await connection.end();
    }
    const reset = await connectTo();
    reset.send(OWN.subarray(0, 7)).socket.resetAndDestroy();
    const connection = await connectTo();
    expect((await connection.send(OWN).send(HEALTH).answer()).status).to.equal(200);
  });

  it('counts the connections of each client, and not those of the proxy', async () => {
    const limited = await startTestService({ ...ENVIRONMENT, GSLS_MAX_CONNECTIONS_PER_ADDRESS: '1' });
    const opened: boolean[] = [];
    for (const named of ['203.0.113.7', '203.0.113.7', '203.0.113.8', '10.0.0.9', '10.0.0.9']) {
      const connection = await connectTo(limited);
      opened.push((await connection.send(proxyHeader(named)).send(HEALTH).answerOrEnd()) !== undefined);
    }
    expect(opened).to.deep.equal([true, false, true, true, true]);
    await limited.close();
  });

  it('stops at once, with connections that have a header alone, half of one, or none', async () => {
    const stopping = await startTestService(ENVIRONMENT);
    const silent = [];
    for (const bytes of [OWN, OWN.subarray(0, 7), '']) silent.push((await connectTo(stopping)).send(bytes));
    const kept = await connectTo(stopping);
    await kept.send(OWN).send(HEALTH).answer();
    const from = performance.now();
    await stopping.close();
    expect(performance.now() - from).to.be.below(4000);
    for (const connection of [...silent, kept]) await connection.end();
  });

  it('is healthy for gsls healthcheck on the machine of the proxy, and on another', async () => {
    const elsewhere = { ...ENVIRONMENT, GSLS_TRUST_PROXY: '10.0.0.0/8' };
    const other = await startTestService(elsewhere);
    for (const [{ url }, environment] of [
      [service, ENVIRONMENT],
      [other, elsewhere],
    ] as const) {
      const check = ['healthcheck', '--host', '127.0.0.1', '--port', new URL(url).port];
      expect(await runHere(check, environment)).to.match(/^healthy, /);
    }
    await other.close();
  });
});

describe('a proxy that names no client', () => {
  let server: Server;
  afterEach(() => server.close());

  it('is closed after a while, whatever it sends meanwhile', async () => {
    server = createServer((_request, response) => response.end());
    const proxies = parseNetworks('loopback');
    awaitProxyHeaders(server, { proxies, limitMs: 50 }, () => undefined);
    await listen(server, '127.0.0.1', 0);
    const { port } = server.address() as AddressInfo;
    for (const bytes of ['', OWN.subarray(0, 15)]) {
      const connection = await openRawConnection({ host: '127.0.0.1', port });
      await connection.send(bytes).end();
    }
    await until(
      () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count === 0))),
    );
  });
});
