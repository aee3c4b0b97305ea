/**
 * Every error that a service describes, at every operation that it describes it for: provoked, and answered as the
 * description says. An error that is described and not provoked fails, and one that is given and not described.
 */

import { expect } from 'chai';
import { ERRORS, type ErrorCode } from '../../src/model/errors.ts';
import { ServiceError } from '../../src/model/service-error.ts';
import { Turns } from '../../src/api/work/turns.ts';
import { OWN, type Asker } from '../../src/api/work/work.ts';
import { Guard } from '../../src/api/http/guard.ts';
import { KeyRing, keysOfFlags } from '../../src/api/http/key-ring.ts';
import { ID } from '../../src/api/docs/openapi/examples.ts';
import { MOST_BANS, NO_DECISIONS } from '../../src/registry/decisions/decisions.ts';
import { aBan, aLabel } from '../support/a-ban.ts';
import type { AnswerToCheck } from '../support/api-description.ts';
import { ask, expectError, type AnswerBody, type AskOptions, type TestAnswer } from '../support/ask.ts';
import { aBroadcast, aGameServer } from '../support/builders.ts';
import { listenerWith, serviceWith, type Described } from '../support/described-service.ts';
import { freePort } from '../support/free-port.ts';
import { ADMIN_KEY } from '../support/moderated-registry.ts';
import { PATIENT } from '../support/patient.ts';
import { openRawConnection } from '../support/raw-connection.ts';
import { serverBehind } from '../support/server-behind.ts';

/** An operation, as its examples ask for it. */
interface Target extends Pick<Described, 'service' | 'description'> {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

type Provoke = (target: Target) => Promise<AnswerToCheck>;

const KEYS = { Authorization: `Bearer ${ADMIN_KEY}` };
const EVENTS = { Accept: 'text/event-stream' };
const CLAIM = { 'Server-Token': 'claim' };

/** The request of the target, with these changes. */
function send(
  { service, method, path, body }: Target,
  { query, ...options }: AskOptions & { readonly query?: string } = {},
): Promise<TestAnswer> {
  const added = query === undefined ? '' : (path.includes('?') ? '&' : '?') + query;
  return ask(service, `${method} ${path}${added}`, {
    ...(body !== undefined && { body: body as object }),
    ...options,
    headers: { ...KEYS, ...options.headers },
  });
}

/** The same with bytes that no client would send behind the target. */
async function sendRaw(
  { service, method, path }: Target,
  version: string,
  rest: string,
): Promise<AnswerToCheck> {
  const connection = await openRawConnection(service);
  const { status, headers, body } = await connection.send(`${method} ${path} ${version}\r\n${rest}`).answer();
  connection.destroy();
  return { status, headers, bytes: body };
}

/** Has too much to do already. */
class FullTurns extends Turns {
  override check(asker: Asker): void {
    if (asker !== OWN) throw new ServiceError('overloaded');
  }
}

/** The fields of the game server that the target is about. */
function broadcastOf({ description }: Target): Readonly<Record<string, unknown>> {
  return description.exampleOf('POST /broadcast').body as Readonly<Record<string, unknown>>;
}

/** Broadcasts that game server, or another one. */
function broadcast(
  target: Target,
  { headers = {}, fields = {} }: Pick<AskOptions, 'headers'> & { readonly fields?: object } = {},
): Promise<TestAnswer> {
  return ask(target.service, 'POST /broadcast', { body: { ...broadcastOf(target), ...fields }, headers });
}

/** The target with this id instead of that of the examples. */
function withId(target: Target, id: string): Target {
  const { path, body } = target;
  return {
    ...target,
    path: path.replace(encodeURIComponent(ID), id),
    body: body === undefined ? undefined : JSON.parse(JSON.stringify(body).replace(ID, id)),
  };
}

/** The target with the page of a server in the place of a file. */
function ofNoServer(target: Target): Target {
  return target.name === 'GET /browse/{file}' ? { ...target, path: '/browse/none' } : target;
}

/** With this value of the header the check of keys has a defect. */
const DEFECT = 'defect';

class BrokenGuard extends Guard {
  override check(...[access, authorization]: Parameters<Guard['check']>): ReturnType<Guard['check']> {
    if (authorization === DEFECT) throw new TypeError('a defect');
    return super.check(access, authorization);
  }
}

/** One for all rows that need no other. */
let shared: Promise<Described> | undefined;

async function plain(): Promise<Described> {
  shared ??= serviceWith()();
  return { ...(await shared), close: async () => undefined };
}

interface Row {
  /** Left out, it is the service that all such rows share. */
  readonly on?: () => Promise<Described>;
  /**
   * What gets the error from each operation that has it, and any other described answer from the rest. Left out, it is
   * the request of the example.
   */
  readonly provoke?: Provoke;
  /** Whether one operation is asked after the other: each changes what the next one would find. */
  readonly inTurn?: boolean;
  /** Whether the answer says when to try again, though the description does not say it always does. */
  readonly saysWhen?: boolean;
}

const sending =
  (changes: AskOptions & { readonly query?: string }): Provoke =>
  (target) =>
    send(target, changes);

const sendingRaw =
  (rest: string, version = 'HTTP/1.1'): Provoke =>
  (target) =>
    sendRaw(target, version, rest);

/** No Redis will come. */
const IMPATIENT = { ...PATIENT, startMs: 1, retryMs: 1 };

const LIMITED = {
  GSLS_RATE_LIMIT: 'broadcast=1/h,ping=1/h,remove=1/h,list=1/h,join=1/h,doctor=1/h,report=1/h',
};

/** The errors of addresses where nothing is described: no registry, and a mirror. */
const ELSEWHERE = ['unknown_registry', 'read_only'] as const;

const TABLE: Readonly<Record<Exclude<ErrorCode, (typeof ELSEWHERE)[number]>, Row>> = {
  invalid_json: { provoke: sending({ body: '{' }) },
  invalid_request: { provoke: sendingRaw('Host: a\r\nHost: b\r\n\r\n') },
  invalid_query: { provoke: sending({ query: 'x=1' }) },
  invalid_cursor: { provoke: sending({ query: 'cursor=x' }) },
  unauthorized: {
    on: serviceWith({ GSLS_KEY: 'key' }),
    provoke: sending({ headers: { Authorization: 'wrong' } }),
  },
  not_allowed: {
    on: serviceWith({ GSLS_KEY: 'key' }),
    provoke: (target) =>
      send(target, { headers: { Authorization: target.path.startsWith('/admin') ? 'key' : ADMIN_KEY } }),
  },
  cross_site: { provoke: sending({ headers: { 'Sec-Fetch-Site': 'cross-site' } }) },
  not_owner: {
    async provoke(target) {
      const { body } = await broadcast(target, { headers: CLAIM });
      const wrong = { 'Server-Token': `${body.server_id}.${'A'.repeat(43)}` };
      return send(withId(target, body.server_id!), target.path === '/broadcast' ? { headers: wrong } : {});
    },
    inTurn: true,
  },
  banned: {
    on: serviceWith({}, (service) =>
      ask(service, 'POST /admin/bans', { body: { host: 'eu1.*', reason: 'spam' }, headers: KEYS }),
    ),
  },
  server_token_required: { on: serviceWith({ GSLS_REQUIRE_SERVER_TOKEN: 'true' }) },
  ip_mismatch: {
    async provoke(target) {
      const { body } = await broadcast(target, { fields: { server_ip: '198.51.100.1' } });
      return send(withId(target, body.server_id!));
    },
    inTurn: true,
  },
  source_mismatch: { on: serviceWith({ GSLS_VERIFY_SOURCE: 'true' }) },
  unknown_server: {
    provoke: (target) =>
      target.name === 'POST /admin/labels'
        ? send({ ...target, body: { label: 'official', token_sha256: '0'.repeat(64) } })
        : send(ofNoServer(target)),
  },
  unknown_join_code: {},
  unknown_ban: {},
  unknown_label: {},
  not_found: {
    provoke: (target) => send({ ...target, path: `${target.path.replace(/\/?(\?.*)?$/, '')}/no/such` }),
  },
  method_not_allowed: { provoke: (target) => send({ ...target, method: 'PATCH', body: undefined }) },
  not_acceptable: {
    on: listenerWith(async ({ serverHistories }) => {
      serverHistories!.of = async () => ({ points: [], uptime: null });
      return {};
    }),
    provoke: sending({ headers: { 'Accept-Encoding': 'identity;q=0, *;q=0' } }),
  },
  request_timeout: {
    on: serviceWith({}, async (service) => {
      // Not so short that it ends a request that is still to be read.
      (await serverBehind(service)).headersTimeout = 500;
    }),
    provoke: sendingRaw('Host: '),
  },
  idempotency_key_used: {
    async provoke(target) {
      const headers = { 'Idempotency-Key': 'used' };
      const { body } = await broadcast(target, { headers });
      const { server_ip } = broadcastOf(target);
      await ask(target.service, 'POST /remove', { body: { server_id: body.server_id, server_ip } });
      return send(target, { headers });
    },
    inTurn: true,
  },
  too_many_bans: {
    on: listenerWith(async (registry) => {
      const bans = Array.from({ length: MOST_BANS }, (_, n) => aBan({ ban: `${n}`, name: `name ${n}` }));
      await registry.moderation.decide(() => ({ ...NO_DECISIONS, bans }));
      return {};
    }),
  },
  too_many_labels: {
    on: listenerWith(async (registry) => {
      const labels = Array.from({ length: MOST_BANS }, (_, n) => aLabel({ rule: `${n}`, name: `name ${n}` }));
      await registry.moderation.decide(() => ({ ...NO_DECISIONS, labels }));
      return {};
    }),
  },
  address_taken: {
    on: serviceWith({ GSLS_UNIQUE_ADDRESS: 'true' }),
    async provoke(target) {
      await broadcast(target, { headers: CLAIM });
      const { body } = await broadcast(target, { fields: { server_port: 1 } });
      return send(withId(target, body.server_id!));
    },
    inTurn: true,
  },
  body_too_large: {
    provoke: sendingRaw(`Host: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}`),
  },
  unsupported_encoding: { provoke: sending({ body: '{}', headers: { 'Content-Encoding': 'gzip' } }) },
  quota_exceeded: {
    on: serviceWith({ GSLS_MAX_SERVERS: '1' }, (service) =>
      ask(service, 'POST /broadcast', { body: aBroadcast() }),
    ),
  },
  rate_limited: {
    on: serviceWith(LIMITED),
    async provoke(target) {
      await send(ofNoServer(target));
      return send(ofNoServer(target));
    },
  },
  too_many_streams: {
    on: serviceWith({ GSLS_MAX_STREAMS: '0' }),
    provoke: sending({ headers: EVENTS }),
  },
  headers_too_large: { provoke: sendingRaw(`Host: a\r\nX-Long: ${'x'.repeat(9000)}\r\n\r\n`) },
  internal_error: {
    on: listenerWith(async () => ({
      guard: new BrokenGuard({
        ring: new KeyRing(keysOfFlags({ authKeys: [], adminKeys: [ADMIN_KEY] })),
        registry: '',
        publicRead: false,
      }),
    })),
    provoke: sending({ headers: { Authorization: DEFECT } }),
  },
  overloaded: {
    on: listenerWith(async (registry) => {
      // Nobody else removes it, as it is claimed.
      await registry.broadcast(ID, aGameServer(), { address: '192.0.2.1', proof: 'token' });
      return { load: { sheds: () => true }, turns: new FullTurns() };
    }),
    provoke: (target) => send(ofNoServer(target)),
    // Else a moderator would remove the entry before it is looked at.
    inTurn: true,
    saysWhen: true,
  },
  shutting_down: {
    on: serviceWith({}, (service) => void service.close({ delayMs: 60_000 })),
    provoke: (target) => send(target, target.path === '/changes' ? { headers: EVENTS } : {}),
  },
  registry_unavailable: {
    async on() {
      const environment = { GSLS_REDIS: `redis://127.0.0.1:${await freePort()}` };
      return serviceWith(environment, undefined, IMPATIENT)();
    },
    provoke: (target) => send(ofNoServer(target)),
    saysWhen: true,
  },
  http_version_not_supported: { provoke: sendingRaw('Host: a\r\n\r\n', 'HTTP/2.0') },
};

async function targetsOf({ service, description }: Described): Promise<readonly Target[]> {
  const page = await ask(service, 'GET /docs');
  const [, file = 'unknown'] = /"docs\/([^"]+)"/.exec(page.text) ?? [];
  return [...description.operations.keys()].map((name) => {
    const { path, body } = description.exampleOf(name);
    const isFile = name === 'GET /docs/{file}';
    return {
      service,
      description,
      name,
      method: name.split(' ')[0]!,
      path: isFile ? `/docs/${file}` : path,
      body,
    };
  });
}

describe('the errors that the description of the API lists', () => {
  /** By operation. */
  const provoked = new Map<string, Set<ErrorCode>>();
  after(async () => (await shared)?.close());

  for (const [code, { on = plain, provoke = send, inTurn = false, saysWhen = false }] of Object.entries(
    TABLE,
  ) as [ErrorCode, Row][])
    it(`have ${code} at the operations that give it, and at no others`, async () => {
      const described = await on();
      const check = async (target: Target): Promise<void> => {
        const { name, description } = target;
        const answer = await provoke(target);
        const got = description.check(name, answer);
        if (!description.outcomesOf(name).codes.includes(code)) return;
        expect(got, name).to.equal(code);
        const { status, headers, bytes } = answer;
        expectError({ status, headers, body: JSON.parse(bytes.toString()) as AnswerBody }, code);
        if (saysWhen) expect(headers['retry-after'], name).to.match(/^[1-5]$/);
        provoked.set(name, (provoked.get(name) ?? new Set()).add(code));
      };
      try {
        const targets = await targetsOf(described);
        if (inTurn) for (const target of targets) await check(target);
        else await Promise.all(targets.map(check));
      } finally {
        await described.close();
      }
      expect([...provoked.values()].some((codes) => codes.has(code))).to.equal(true);
    });

  it('are all of the errors that there are', () => {
    expect([...Object.keys(TABLE), ...ELSEWHERE].toSorted()).to.deep.equal(Object.keys(ERRORS).toSorted());
  });

  it('were provoked at every operation, also of a service with all options', async () => {
    const { description, close } = await serviceWith({
      GSLS_KEY: 'key',
      GSLS_REQUIRE_SERVER_TOKEN: 'true',
      GSLS_VERIFY_SOURCE: 'true',
      GSLS_UNIQUE_ADDRESS: 'true',
      GSLS_MAX_SERVERS: '1',
      ...LIMITED,
    })();
    await close();
    const missing = [...description.operations.keys()].flatMap((name) =>
      description
        .outcomesOf(name)
        .codes.filter((code) => !provoked.get(name)?.has(code))
        .map((code) => `${code} at ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });
});
