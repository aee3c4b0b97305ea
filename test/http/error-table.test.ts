/** Every code of the error table, produced by a request. */

import { expect } from 'chai';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConfig } from '../../src/config/config.ts';
import { NO_MODERATION } from '../../src/registry/moderation.ts';
import { ERRORS, ServiceError, type ErrorCode } from '../../src/errors.ts';
import { errorAnswer } from '../../src/http/answer.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { createListener, type ListenerOptions, type Service } from '../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { listen } from '../support/listen.ts';
import { jsonOf, openRawConnection } from '../support/raw-connection.ts';
import { freePort } from '../support/free-port.ts';
import { serverBehind } from '../support/server-behind.ts';
import { silentLogger, startTestService } from '../support/start-test-service.ts';

type Produce = (service: Service) => Promise<Pick<TestAnswer, 'status' | 'headers' | 'body'>>;

/** Sends bytes that are no whole request, and reads what comes back. */
async function rawAnswerTo(service: Service, bytes: string): ReturnType<Produce> {
  const connection = await openRawConnection(service);
  const answer = await connection.send(bytes).answer();
  await connection.end();
  return { ...answer, body: jsonOf(answer) };
}

async function onAServiceWith(
  environment: Readonly<Record<string, string>>,
  produce: Produce,
): ReturnType<Produce> {
  const service = await startTestService(environment);
  try {
    return await produce(service);
  } finally {
    await service.close();
  }
}

const SECRET = 'the password is hunter2, see /var/lib/registry.ts:12';

const broken = async (): Promise<never> => {
  throw new TypeError(SECRET);
};

const brokenRegistry: Registry = {
  broadcast: broken,
  ping: broken,
  rebroadcast: broken,
  remove: broken,
  list: broken,
  hasList: true,
  history: broken,
  entries: broken,
  evict: broken,
  known: () => undefined,
  noteReachability: broken,
  takeTurn: broken,
  moderate: broken,
  close: broken,
  secret: 'secret',
  moderation: NO_MODERATION,
  findBan: () => undefined,
  mayBeTold: () => true,
  withJoinCode: () => undefined,
};

/** The answer to a broadcast, on a registry with a defect. */
async function answerOf(options: Partial<ListenerOptions>, path = '/broadcast'): ReturnType<Produce> {
  const config = createConfig({ flags: {}, environment: {}, readFile: () => '' });
  const lifetime = createLifetime(60_000);
  const all = { config, registry: brokenRegistry, lifetime, logger: silentLogger, ...options };
  const server = createServer(createListener(all));
  await listen(server, '127.0.0.1', 0);
  const { port } = server.address() as AddressInfo;
  try {
    return await ask({ url: `http://127.0.0.1:${port}` }, `POST ${path}`, { body: aBroadcast() });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function onABrokenRegistry(logged: object[], path?: string): ReturnType<Produce> {
  return answerOf({ logger: { ...silentLogger, error: (fields: object) => logged.push(fields) } }, path);
}

const onAnOverloadedReplica = (): ReturnType<Produce> => answerOf({ load: { sheds: () => true } });

function onARegistryThatRefuses(code: ErrorCode): ReturnType<Produce> {
  const broadcast = async (): Promise<never> => {
    throw new ServiceError(code);
  };
  return answerOf({ registry: { ...brokenRegistry, broadcast } });
}

const CLAIM = { 'Server-Token': 'claim' };

const TABLE: Readonly<Record<ErrorCode, readonly [how: string, produce: Produce]>> = {
  invalid_json: [
    'to a body that is no JSON',
    (service) => ask(service, 'POST /broadcast', { body: 'players=3' }),
  ],
  invalid_request: [
    'to a broadcast without fields',
    (service) => ask(service, 'POST /broadcast', { body: {} }),
  ],
  invalid_query: ['to a query with an unknown parameter', (service) => ask(service, 'GET /servers?x=1')],
  invalid_cursor: ['to a cursor that is none', (service) => ask(service, 'GET /servers?cursor=x')],
  unauthorized: [
    'to a request without the key',
    () => onAServiceWith({ GSLS_KEY: 'secret' }, (service) => ask(service, 'GET /')),
  ],
  ip_mismatch: [
    'to a ping with another IP than the registered one',
    async (service) => {
      const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
      const ping = aBroadcast({ server_id: body.server_id, server_ip: '198.51.100.1' });
      return ask(service, 'POST /ping', { body: ping });
    },
  ],
  not_owner: [
    'to a ping without the token of a claimed entry',
    async (service) => {
      const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast(), headers: CLAIM });
      return ask(service, 'POST /ping', { body: aBroadcast({ server_id: body.server_id }) });
    },
  ],
  server_token_required: [
    'to a ping without a token, where one is required',
    () =>
      onAServiceWith({ GSLS_REQUIRE_SERVER_TOKEN: 'true' }, (service) =>
        ask(service, 'POST /ping', { body: aBroadcast({ server_id: 'id' }) }),
      ),
  ],
  banned: ['to a broadcast of a banned game server', () => onARegistryThatRefuses('banned')],
  source_mismatch: [
    'to a broadcast for another address than that of the client, where they must be the same',
    () =>
      onAServiceWith({ GSLS_VERIFY_SOURCE: 'true' }, (service) =>
        ask(service, 'POST /broadcast', { body: aBroadcast() }),
      ),
  ],
  unknown_server: [
    'to a ping with an id that was never given out',
    (service) => ask(service, 'POST /ping', { body: aBroadcast({ server_id: 'unknown' }) }),
  ],
  unknown_join_code: ['to a join code that no server has', () => onARegistryThatRefuses('unknown_join_code')],
  unknown_ban: ['to what is asked of a ban that is not there', () => onARegistryThatRefuses('unknown_ban')],
  not_found: ['to a path there is nothing at', (service) => ask(service, 'GET /nowhere')],
  method_not_allowed: ['to a method the path does not take', (service) => ask(service, 'DELETE /broadcast')],
  not_acceptable: [
    'to who takes the list in no encoding',
    (service) => ask(service, 'GET /', { headers: { 'Accept-Encoding': 'identity;q=0, *;q=0' } }),
  ],
  request_timeout: [
    'to a request that stops half-way',
    () =>
      // One of its own: any other request would have as little time.
      onAServiceWith({}, async (service) => {
        const server = await serverBehind(service);
        // Not so short that it ends a request that is still to be read.
        server.headersTimeout = 500;
        return rawAnswerTo(service, 'GET / HTTP/1.1\r\nHost: ');
      }),
  ],
  idempotency_key_used: [
    'to a broadcast repeated after its game server was removed',
    async (service) => {
      const sent = { body: aBroadcast(), headers: { 'Idempotency-Key': 'key' } };
      const { body } = await ask(service, 'POST /broadcast', sent);
      await ask(service, 'POST /remove', { body: { server_id: body.server_id, server_ip: '203.0.113.7' } });
      return ask(service, 'POST /broadcast', sent);
    },
  ],
  address_taken: [
    'to a broadcast at the unique address of a claimed entry',
    () =>
      onAServiceWith({ GSLS_UNIQUE_ADDRESS: 'true' }, async (service) => {
        await ask(service, 'POST /broadcast', { body: aBroadcast(), headers: CLAIM });
        return ask(service, 'POST /broadcast', { body: aBroadcast() });
      }),
  ],
  quota_exceeded: [
    'to a broadcast beyond the quota',
    () =>
      onAServiceWith({ GSLS_MAX_SERVERS: '1' }, async (service) => {
        await ask(service, 'POST /broadcast', { body: aBroadcast() });
        return ask(service, 'POST /broadcast', { body: aBroadcast({ server_port: 2 }) });
      }),
  ],
  too_many_bans: ['to a ban beyond the most there may be', () => onARegistryThatRefuses('too_many_bans')],
  body_too_large: [
    'to a body above the limit',
    (service) => ask(service, 'POST /ping', { body: ' '.repeat(20_000) }),
  ],
  unsupported_encoding: [
    'to a compressed body',
    (service) => ask(service, 'POST /ping', { body: '{}', headers: { 'Content-Encoding': 'gzip' } }),
  ],
  rate_limited: [
    'to more requests than an address may send',
    () =>
      onAServiceWith({ GSLS_RATE_LIMIT: 'list=1/h' }, async (service) => {
        await ask(service, 'GET /');
        return ask(service, 'GET /');
      }),
  ],
  headers_too_large: [
    'to headers above the limit',
    (service) => rawAnswerTo(service, `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(9000)}\r\n\r\n`),
  ],
  http_version_not_supported: [
    'to a request in another version',
    (service) => rawAnswerTo(service, 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'),
  ],
  internal_error: ['to a request that meets a defect', () => onABrokenRegistry([])],
  too_many_streams: [
    'to a stream that is one too many',
    () =>
      onAServiceWith({ GSLS_MAX_STREAMS: '0' }, (service) =>
        ask(service, 'GET /changes', { headers: { Accept: 'text/event-stream' } }),
      ),
  ],
  overloaded: ['while it has too much to do', () => onAnOverloadedReplica()],
  shutting_down: [
    'to a health check of a replica that is to stop',
    async () =>
      onAServiceWith({}, (service) => {
        void service.close({ delayMs: 60_000 });
        return ask(service, 'GET /health');
      }),
  ],
  registry_unavailable: ['while Redis is away', () => answerWithoutRedis()],
};

/** The service tries for a second, so it is asked once. */
let withoutRedis: ReturnType<Produce> | undefined;

function answerWithoutRedis(): ReturnType<Produce> {
  withoutRedis ??= freePort().then((port) =>
    onAServiceWith({ GSLS_REDIS: `redis://127.0.0.1:${port}` }, (service) =>
      ask(service, 'POST /broadcast', { body: aBroadcast() }),
    ),
  );
  return withoutRedis;
}

describe('the error table', () => {
  let service: Service;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  for (const [code, [how, produce]] of Object.entries(TABLE)) {
    it(`answers ${code} ${how}`, async () => {
      expectError(await produce(service), code as ErrorCode);
    });
  }

  it('is produced here whole', () => {
    expect(Object.keys(TABLE).toSorted()).to.deep.equal(Object.keys(ERRORS).toSorted());
  });

  for (const path of ['/broadcast', '/broadcast?by=the-other-lane'])
    it(`lets nothing of a defect out, and logs it in full, at ${path}`, async () => {
      const logged: { err?: Error; path?: string }[] = [];
      const answer = await onABrokenRegistry(logged, path);
      expect(answer.body).to.deep.equal({
        status: 'error',
        error: ERRORS.internal_error.message,
        code: 'internal_error',
      });
      expect(JSON.stringify(answer.headers)).to.not.include('hunter2');
      expect(logged).to.have.length(1);
      expect(logged[0]?.err).to.be.instanceOf(TypeError).with.property('message', SECRET);
      expect(logged[0]?.path).to.equal('/broadcast');
    });

  it('tells an overloaded replica when to try again', async () => {
    expect((await onAnOverloadedReplica()).headers['retry-after']).to.match(/^[1-5]$/);
  });

  it('tells with a registry that is away when to try again', async () => {
    const { headers } = await answerWithoutRedis();
    expect(headers['retry-after']).to.match(/^[1-5]$/);
  });

  it('Retry-After is never later than the next ping is due', () => {
    const told = Array.from(
      { length: 100 },
      () => errorAnswer(new ServiceError('registry_unavailable'), 2).headers['Retry-After'],
    );
    expect(new Set(told)).to.deep.equal(new Set(['1', '2']));
  });
});
