/** Each refused request is counted by its code, and at level debug it has a line that names the request. */

import { expect } from 'chai';
import { ERRORS } from '../../../../src/model/errors.ts';
import type { Service } from '../../../../src/service/service.ts';
import { ask } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { valueOf } from '../../../support/metrics.ts';
import { openRawConnection, plainRequest } from '../../../support/raw-connection.ts';
import { serverBehind } from '../../../support/server-behind.ts';
import { silentLogger, startTestService } from '../../../support/start-test-service.ts';

type Fields = Readonly<Record<string, unknown>>;

const UNKNOWN = aBroadcast({ server_id: 'unknown' });

describe('a refused request', () => {
  const logged: Fields[] = [];
  const logger = {
    ...silentLogger,
    debug: (fields: object, message: string) =>
      message === 'a request was refused' && logged.push(fields as Fields),
  };
  let service: Service;
  before(async () => {
    service = await startTestService({}, logger);
  });
  after(() => service.close());
  beforeEach(() => logged.splice(0));

  const sendRaw = async (bytes: string): Promise<void> => {
    const connection = await openRawConnection(service);
    await connection.send(bytes).answer();
    await connection.end();
  };
  const refusals = async (code: string): Promise<number> =>
    valueOf((await ask(service, 'GET /metrics')).text, 'gsls_refused_total', { code });

  /** How a request is refused, and what its line holds. */
  const REFUSED: Readonly<Record<string, [refuse: () => Promise<unknown>, line: Fields]>> = {
    'on the fast path': [
      () => ask(service, 'POST /ping', { body: UNKNOWN }),
      { code: 'unknown_server', method: 'POST', path: '/ping' },
    ],
    'on the Koa path': [
      () => ask(service, 'DELETE /ping?server_ip=203.0.113.7', { body: UNKNOWN }),
      { code: 'method_not_allowed', method: 'DELETE', path: '/ping' },
    ],
    'by a path with escapes': [
      () => ask(service, 'GET /%1b[2J%0aforged'),
      { code: 'not_found', method: 'GET', path: '/%1b[2J%0aforged' },
    ],
    'that is no HTTP, on the bare socket': [
      () => sendRaw('\u001b[2J nonsense\r\n\r\n'),
      { code: 'invalid_request', method: undefined, path: undefined },
    ],
    'with too many headers, on the bare socket': [
      () => sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(9000)}\r\n\r\n`),
      { code: 'headers_too_large', method: undefined, path: undefined },
    ],
    'with CONNECT, on the bare socket': [
      () => sendRaw('CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n'),
      { code: 'not_found', method: 'CONNECT', path: 'example.com:443' },
    ],
    'with broken chunks, on the bare socket': [
      () => sendRaw('POST /ping?a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      { code: 'invalid_request', method: 'POST', path: '/ping' },
    ],
    'whose headers stop half-way, on the bare socket': [
      async () => {
        // Not so short that it ends a request that is still to be read.
        (await serverBehind(service)).headersTimeout = 500;
        await sendRaw('GET / HTTP/1.1\r\nHost: ').finally(async () => {
          (await serverBehind(service)).headersTimeout = 5000;
        });
      },
      { code: 'request_timeout', method: undefined, path: undefined },
    ],
  };

  for (const [how, [refuse, { code, method, path }]] of Object.entries(REFUSED))
    it(`${how} is counted once, and its line names the request`, async () => {
      const before = await refusals(String(code));
      await refuse();
      expect(await refusals(String(code))).to.equal(before + 1);
      expect(logged).to.have.lengthOf(1);
      expect(logged[0]).to.include({ code, method, path, address: '127.0.0.1' });
      expect(logged[0]!.reason).to.be.a('string').and.to.not.equal('');
    });

  it('has a counter for each code of the table from the start', async () => {
    const fresh = await startTestService();
    try {
      const { text } = await ask(fresh, 'GET /metrics');
      const counted = [...text.matchAll(/^gsls_refused_total\{code="(\w+)"\} 0$/gm)].map(([, code]) => code);
      expect(counted).to.have.members(Object.keys(ERRORS));
    } finally {
      await fresh.close();
    }
  });

  it('leaves no header value and no field in the log', async () => {
    const headers = {
      Authorization: 'Bearer hunter2',
      'Idempotency-Key': '\u0080hunter2',
      Cookie: 'hunter2',
    };
    await ask(service, 'POST /broadcast', { headers, body: aBroadcast({ server_name: 'hunter2\u001b[2J' }) });
    await ask(service, 'POST /hunter', { headers });
    expect(logged).to.have.lengthOf(2);
    expect(JSON.stringify(logged)).to.not.include('hunter2');
  });

  it('leaves neither user nor password of a URL in the log, only the rest', async () => {
    await sendRaw('GET http://ann:hunter2@a/servers HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await sendRaw('CONNECT ann:hunter2@a:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    await ask(service, 'GET /a@b');
    expect(logged.map(({ path }) => path)).to.deep.equal(['http://a/servers', 'a:443', '/a@b']);
    expect(JSON.stringify(logged)).to.not.match(/ann|hunter2/);
  });

  it('costs an accepted request neither a line nor a count', async () => {
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: body.server_id }) });
    await ask(service, 'GET /');
    expect(logged).to.deep.equal([]);
  });

  for (const [detail, address] of [
    ['full', '127.0.0.1'],
    ['masked', '127.0.0.0/24'],
    ['none', undefined],
  ] as const)
    it(`names the client by ${address ?? 'no address'} with --log-addresses ${detail}`, async () => {
      const other = await startTestService({ GSLS_LOG_ADDRESSES: detail }, logger);
      try {
        await ask(other, 'GET /nothing');
        const connection = await openRawConnection(other);
        await connection.send('nonsense\r\n\r\n').answer();
        connection.destroy();
        expect(logged.map((line) => line.address)).to.deep.equal([address, address]);
      } finally {
        await other.close();
      }
    });

  for (const [detail, reason] of [
    ['masked', 'server_ip is 203.0.113.0/24, but the request came from 127.0.0.0/24'],
    ['none', 'server_ip is (address), but the request came from (address)'],
  ] as const)
    it(`has no address in its reason either with --log-addresses ${detail}`, async () => {
      const options = { GSLS_LOG_ADDRESSES: detail, GSLS_VERIFY_SOURCE: 'true' };
      const other = await startTestService(options, logger);
      try {
        const { body } = await ask(other, 'POST /broadcast', {
          body: aBroadcast({ server_ip: '203.0.113.7' }),
        });
        expect(body.error).to.include('server_ip is 203.0.113.7');
        expect(logged[0]!.reason).to.include(reason);
      } finally {
        await other.close();
      }
    });

  it('that is cut off instead leaves its address in the log as --log-addresses says', async () => {
    const cutOffs: Fields[] = [];
    const other = await startTestService(
      { GSLS_LOG_ADDRESSES: 'masked' },
      {
        ...silentLogger,
        debug: (fields: object, message: string) =>
          message === 'a reader was cut off' && cutOffs.push(fields as Fields),
      },
    );
    try {
      const { socket } = (await openRawConnection(other)).send(plainRequest('GET /').repeat(500));
      await new Promise((resolve) => socket.once('close', resolve));
      expect(cutOffs.map(({ reason, remoteAddress }) => [reason, remoteAddress])).to.deep.equal([
        ['pipelining', '127.0.0.0/24'],
      ]);
    } finally {
      await other.close();
    }
  });
});
