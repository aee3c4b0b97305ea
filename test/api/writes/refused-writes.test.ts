/** A request that is refused changes nothing: the property over all writes, and the refusals that once did. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { runs } from '../../support/runs.ts';
import { shrinkBriefly } from '../../support/shrink-briefly.ts';
import { useService, type UsedService } from '../../support/use-service.ts';

const RULES = {
  GSLS_UNIQUE_ADDRESS: 'true',
  GSLS_ALLOW_UNLISTED: 'true',
  GSLS_MAX_SERVERS_PER_ADDRESS: '4',
  GSLS_ADMIN_KEY: 'boss',
  GSLS_TRUST_PROXY: 'loopback',
};
const BOSS = { Authorization: 'boss' };
const CLIENTS = ['192.0.2.1', '192.0.2.2'];

const FLAWS = [
  { server_port: 70_000 },
  { server_ip: 'nowhere' },
  { server_name: 'Casino' },
  { players: -1 },
  { unlisted: 'yes' },
  { author: '' },
];

const request = fc.record({
  what: fc.oneof(
    { weight: 6, arbitrary: fc.constant('POST /broadcast' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...(['POST /ping', 'POST /remove', 'POST /admin/bans', 'DELETE /admin/servers'] as const),
      ),
    },
  ),
  client: fc.constantFrom(...CLIENTS),
  /** Which of the entries so far it is about, and whose token it shows. */
  about: fc.nat({ max: 5 }),
  tokenOf: fc.nat({ max: 5 }),
  token: fc.oneof(
    { weight: 3, arbitrary: fc.constant('own' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('none' as const, 'claim' as const, 'forged' as const, 'bad' as const),
    },
  ),
  key: fc.constantFrom(undefined, undefined, 'one', 'two', ''),
  fields: fc.record({
    server_port: fc.constantFrom(1, 2, 3),
    server_ip: fc.constantFrom('203.0.113.7', '203.0.113.7', '198.51.100.9'),
    players: fc.constantFrom(1, 2),
    unlisted: fc.constantFrom(undefined, true, false),
    author: fc.constant('ann'),
  }),
  flaw: fc.option(fc.constantFrom(...FLAWS), { nil: {}, freq: 3 }),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

describe('a request that is refused', () => {
  describeRefusals(useService(RULES), 8);
});

needs('redis-server').describe('a request that is refused, on Redis,', () => {
  const redis = useRedis();
  describeRefusals(
    useService(() => ({ ...RULES, GSLS_REDIS: redis.url })),
    2,
  );
});

function describeRefusals(service: UsedService, numRuns: number): void {
  const send = (what: string, client: string, body: object, headers = {}): Promise<TestAnswer> =>
    ask(service, what, { body, headers: { 'X-Forwarded-For': client, ...headers } });

  const broadcast = (fields: object = {}, headers: object = {}): Promise<TestAnswer> =>
    send('POST /broadcast', CLIENTS[0]!, aBroadcast({ ...fields }), headers);

  async function stateOf(): Promise<string> {
    const texts = await Promise.all(
      ['servers?limit=1000', 'bans', 'audit'].map(
        async (path) => (await ask(service, `GET /admin/${path}`, { headers: BOSS })).text,
      ),
    );
    // What was refused is counted beside the entries.
    return texts.join('\n').replaceAll(/"refusals":\[.*?\]/g, '');
  }

  async function empty(): Promise<void> {
    const { text } = await ask(service, 'GET /admin/servers?limit=1000', { headers: BOSS });
    for (const { id } of (JSON.parse(text) as { servers: { id: string }[] }).servers)
      await ask(service, `DELETE /admin/servers/${id}`, { headers: BOSS, body: { author: 'ann' } });
    const { bans } = JSON.parse((await ask(service, 'GET /admin/bans', { headers: BOSS })).text) as {
      bans: { ban: string }[];
    };
    for (const { ban } of bans)
      await ask(service, `DELETE /admin/bans/${ban}`, { headers: BOSS, body: { author: 'ann' } });
  }

  beforeEach(empty);

  it('changes nothing, whatever it is and whatever was before', async function () {
    this.timeout(runs(120_000));
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 10, maxLength: 25, size: 'max' }),
        shrinkBriefly(async (requests) => {
          await empty();
          await send(
            'POST /admin/bans',
            CLIENTS[0]!,
            { name: 'casino', reason: 'spam', author: 'ann' },
            BOSS,
          );
          const listed: { readonly id: string; readonly token: string }[] = [];
          let before = await stateOf();
          for (const each of requests) {
            const answer = await sendOne(each, listed);
            const state = await stateOf();
            if (answer.status >= 400) expect(state, JSON.stringify([each, answer.text])).to.equal(before);
            before = state;
          }
        }),
      ),
      { numRuns: runs(numRuns) },
    );
  });

  async function sendOne(
    { what, client, about, tokenOf, token, key, fields, flaw }: Request,
    listed: { readonly id: string; readonly token: string }[],
  ): Promise<TestAnswer> {
    const { id = 'none' } = listed[about % listed.length] ?? {};
    const shown = {
      none: undefined,
      claim: 'claim',
      own: listed[tokenOf % listed.length]?.token ?? 'claim',
      forged: `${id}.${'A'.repeat(43)}`,
      bad: 'guess',
    }[token];
    const headers = {
      ...(shown !== undefined && { 'Server-Token': shown }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(what.includes('/admin/') && BOSS),
    };
    const path = what === 'DELETE /admin/servers' ? `${what}/${id}` : what;
    const body = { ...aBroadcast(), server_id: id, ...fields, ...flaw };
    const answer = await send(path, client, body, headers);
    if (what === 'POST /broadcast' && answer.status === 200)
      listed.push({ id: answer.body.server_id!, token: String(answer.headers['server-token']) });
    return answer;
  }

  describe('with the token of an entry that is to be unlisted from now on', () => {
    let token: string;
    let before: string;
    const become = (fields: object, headers: object = {}): Promise<TestAnswer> =>
      broadcast({ unlisted: true, ...fields }, { 'Server-Token': token, ...headers });

    beforeEach(async () => {
      token = String((await broadcast({}, { 'Server-Token': 'claim' })).headers['server-token']);
      before = await stateOf();
    });

    it('leaves it as it was for a key that is none', async () => {
      expectError(await become({}, { 'Idempotency-Key': '' }), 'invalid_request');
      expect(await stateOf()).to.equal(before);
    });

    it('leaves it as it was for a key that is used up', async () => {
      const key = { 'Idempotency-Key': `used ${Math.random()}` };
      const { body } = await broadcast({ unlisted: true }, key);
      await send('POST /remove', CLIENTS[0]!, { server_id: body.server_id, server_ip: '203.0.113.7' });
      expectError(await become({ players: 9 }, key), 'idempotency_key_used');
      expect(await stateOf()).to.equal(before);
    });

    it('leaves it as it was if it moves to a client that has as many as it may', async () => {
      for (let port = 1; port <= 4; port += 1)
        await send('POST /broadcast', CLIENTS[1]!, aBroadcast({ server_port: port }));
      before = await stateOf();
      const headers = { 'Server-Token': token };
      const moved = await send('POST /broadcast', CLIENTS[1]!, aBroadcast({ unlisted: true }), headers);
      expectError(moved, 'quota_exceeded');
      expect(await stateOf()).to.equal(before);
    });

    it('leaves it as it was for a name that is banned', async () => {
      await send('POST /admin/bans', CLIENTS[0]!, { name: 'casino', reason: 'spam', author: 'ann' }, BOSS);
      before = await stateOf();
      expectError(await become({ server_name: 'Casino' }), 'banned');
      expect(await stateOf()).to.equal(before);
    });

    it('gives it the other id in one step, in the same place of its quota', async () => {
      for (let port = 1; port <= 3; port += 1) await broadcast({ server_port: port });
      const answer = await become({});
      expect(answer.body.server_id).to.match(/^~/);
      expect((await ask(service, 'GET /')).body.servers).to.have.length(3);
    });
  });
}
