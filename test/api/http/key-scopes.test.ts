/** What keys with scopes open over HTTP, and by which name audit, log and metrics have them. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Guard } from '../../../src/api/http/guard.ts';
import { KeyRing, sha256Of, type Key, type Scope } from '../../../src/api/http/key-ring.ts';
import type { Flags } from '../../../src/service/config/layers.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { createListener } from '../../support/create-listener.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { listen } from '../../support/listen.ts';
import { LogRecord, type LogLine } from '../../support/log-record.ts';
import { configOf } from '../../service/config/config-of.ts';

const aKey = (name: string, may: readonly Scope[], about: Partial<Key> = {}): Key => ({
  name,
  sha256: sha256Of(`the text of ${name}`),
  may,
  ...about,
});

const KEYS = [
  aKey('announcer', ['announce'], { registries: ['racer'] }),
  aKey('reader', ['read']),
  aKey('moderator', ['read', 'moderate'], { registries: ['racer', 'shooter'] }),
  aKey('operator', ['operate']),
  aKey('stranger', ['announce', 'read', 'moderate'], { registries: ['shooter'] }),
  aKey('past', ['announce', 'read', 'moderate', 'operate'], { until: Date.now() }),
];

/** The line of an answered request, or of a refused one. */
type Answered = LogLine & { readonly status?: number; readonly code?: string; readonly key?: string };

/** The calls, each with the names of the keys that may make it. */
const CALLS = {
  'GET /': 'reader moderator',
  'GET /health': 'reader moderator',
  'GET /servers?limit=1': 'reader moderator',
  'HEAD /': 'reader moderator',
  'POST /broadcast': 'announcer',
  'POST /ping': 'announcer',
  'GET /ping?server_id=x': 'announcer',
  'GET /metrics': 'operator',
  'GET /admin/bans': 'moderator',
  'GET /admin/audit': 'moderator',
  'GET /nothing': 'announcer reader moderator operator',
} as const;

const AUTHORIZATIONS = {
  Bearer: (key: string) => `Bearer ${key}`,
  Basic: (key: string) => `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
  bare: (key: string) => key,
};

const keyed = (Authorization: string) => ({ headers: { Authorization } });

const as = (name: string, form: keyof typeof AUTHORIZATIONS = 'Bearer') =>
  keyed(AUTHORIZATIONS[form](`the text of ${name}`));

const bodyFor = (call: string) => (call.startsWith('POST') ? { body: aBroadcast() } : {});

/** A service in memory, with these flags and perhaps another guard than they say. */
async function startWith(flags: Flags, { logger }: LogRecord, guard?: Guard) {
  const config = configOf({ flags: { logLevel: ['debug'], ...flags } });
  const lifetime = createLifetime(60_000);
  const registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
  const server = createServer(
    createListener({ config, registry, lifetime, logger, ...(guard && { guard }) }),
  );
  await listen(server, '127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await registry.close();
    },
  };
}

describe('a service with keys that have scopes', () => {
  const log = new LogRecord();
  let service: Awaited<ReturnType<typeof startWith>>;

  before(async () => {
    const guard = new Guard({ ring: new KeyRing(KEYS), registry: 'racer', publicRead: false });
    service = await startWith({ adminKey: ['boss'] }, log, guard);
  });
  after(() => service.close());

  for (const [call, allowed] of Object.entries(CALLS))
    for (const form of Object.keys(AUTHORIZATIONS) as (keyof typeof AUTHORIZATIONS)[])
      it(`lets ${call} in with the keys that may, ${form}, and with no other`, async () => {
        const refusedAs = { announcer: 403, reader: 403, moderator: 403, operator: 403, stranger: 403 };
        const takesForm = form !== 'Basic' || !call.startsWith('GET /ping');
        for (const [name, status] of Object.entries({ ...refusedAs, past: 401, nobody: 401 })) {
          const answer = await ask(service, call, { ...as(name, form), ...bodyFor(call) });
          const isLetIn = takesForm && allowed.split(' ').includes(name);
          const expected = isLetIn ? undefined : takesForm ? status : 401;
          expect(
            [401, 403].find((each) => each === answer.status),
            name,
          ).to.equal(expected);
        }
        expect((await ask(service, call, bodyFor(call))).status).to.equal(401);
      });

  it('says 403 not_allowed with the scope that is needed, and no challenge', async () => {
    const answer = await ask(service, 'POST /broadcast', { ...as('reader'), body: aBroadcast() });
    expectError(answer, 'not_allowed');
    expect(answer.body.error).to.equal(
      'this key is not allowed to do this: it takes a key with the scope announce',
    );
    expect(answer.headers).to.not.have.property('www-authenticate');
  });

  it('has the name of the key in the audit, in the log and in the metrics, and never its text', async () => {
    const counted = async (): Promise<string[]> => {
      const { text } = await ask(service, 'GET /metrics', as('operator'));
      return text.split('\n').filter((line) => line.startsWith('gsls_key_requests_total{key="moderator"}'));
    };
    const before = Number((await counted())[0]?.split(' ')[1] ?? 0);
    log.lines.splice(0);
    const body = { name: '*casino*', reason: 'spam', author: 'Ann' };
    const { text } = await ask(service, 'POST /admin/bans', { ...as('moderator'), body });
    await ask(service, `DELETE /admin/bans/${(JSON.parse(text) as { ban: string }).ban}`, as('moderator'));
    await ask(service, 'POST /broadcast', { ...as('moderator'), body: aBroadcast() });
    expect(await counted()).to.deep.equal([`gsls_key_requests_total{key="moderator"} ${before + 2}`]);
    const audit = await ask(service, 'GET /admin/audit', as('moderator'));
    expect(audit.text.match(/"key":"[^"]*"/g)).to.deep.equal(['"key":"moderator"', '"key":"moderator"']);
    const answered = (log.lines as readonly Answered[]).filter(({ msg }) => msg === 'a request was answered');
    expect(answered.map((line) => [line.status, line.key])).to.deep.equal([
      [201, 'moderator'],
      [200, 'moderator'],
      [403, undefined],
      [200, 'operator'],
      [200, 'moderator'],
    ]);
    const refused = (log.lines as readonly Answered[]).filter(({ msg }) => msg === 'a request was refused');
    expect(refused.map((line) => [line.code, line.key])).to.deep.equal([['not_allowed', 'moderator']]);
    expect(JSON.stringify(log.lines) + audit.text).to.not.include('the text of');
  });
});

describe('a service with keys of flags alone', () => {
  it('names none of them in audit, log and metrics', async () => {
    const log = new LogRecord();
    const service = await startWith({ key: ['secret'], adminKey: ['boss'] }, log);
    await ask(service, 'POST /admin/bans', { ...keyed('boss'), body: { id: 'a', reason: 'spam' } });
    const texts = [
      (await ask(service, 'GET /admin/audit', keyed('boss'))).text,
      (await ask(service, 'GET /metrics', keyed('secret'))).text,
      JSON.stringify(log.lines),
    ];
    await service.close();
    expect(texts[0]).to.include('ban_added').and.to.not.include('"key"');
    expect(texts[1]).to.not.include('gsls_key_requests_total{');
    expect(texts[2]).to.include('a request was answered').and.to.not.include('"key"');
  });
});
