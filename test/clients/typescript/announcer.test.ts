/** What a game server sends next, and when, by the rules of docs/game-servers.md: each row of its table, and more. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { Announcer, type Turn } from '../../../clients/typescript/src/announcer.ts';
import type { ServiceAnswer, ServiceRequest } from '../../../clients/typescript/src/ask.ts';
import { runs } from '../../support/runs.ts';

const FIELDS = { server_ip: 'auto', players: 3 };
const INTERVAL_MS = 20_000;
const PERSON_MS = 300_000;
const TOKEN = 'id.token';

function answer(
  status: number,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  const { code } = body as { readonly code?: string };
  const bare = { status, text: '', code, reason: '', cause: undefined };
  return { ...bare, headers: new Headers(headers), body: body as ServiceAnswer['body'] };
}

const LISTED = answer(
  200,
  { status: 'success', server_id: 'id' },
  { 'Server-Token': TOKEN, 'Server-Ping-Interval': '20' },
);
const PINGED = answer(200, { status: 'success' }, { 'Server-Ping-Interval': '20' });
const refusal = (status: number, code: string): ServiceAnswer => answer(status, { status: 'error', code });

describe('an announcer', () => {
  let sent: ServiceRequest[];
  let answers: ServiceAnswer[];
  let kept: (string | undefined)[];
  let random: number;
  let now: number;

  beforeEach(() => {
    [sent, answers, kept, random, now] = [[], [], [], 0.5, Date.parse('2026-01-01T00:00:00Z')];
  });

  function announcer(token?: string): Announcer {
    return new Announcer({
      ask: async (question) => {
        sent.push(question);
        return answers.shift() ?? PINGED;
      },
      random: () => random,
      now: () => now,
      token,
      onToken: (told) => void kept.push(told),
    });
  }

  async function turns(one: Announcer, ...told: readonly ServiceAnswer[]): Promise<readonly Turn[]> {
    const done: Turn[] = [];
    for (const each of told) {
      answers.push(each);
      done.push(await one.announce(FIELDS));
    }
    return done;
  }

  const lastHeader = (name: string): string | undefined => sent.at(-1)!.headers?.[name];

  it('broadcasts once with a claim and a key, then pings with the token and the id that it was told', async () => {
    const one = announcer();
    await turns(one, LISTED, PINGED);
    expect(sent.map(({ path }) => path)).to.deep.equal(['/broadcast', '/ping']);
    expect(sent[0]!.body).to.deep.equal(FIELDS);
    expect(sent[0]!.headers).to.include({ 'Server-Token': 'claim' });
    expect(sent[0]!.headers!['Idempotency-Key']).to.match(/^[\da-f-]{36}$/);
    expect(sent[1]!.body).to.deep.equal({ ...FIELDS, server_id: 'id' });
    expect(sent[1]!.headers).to.deep.equal({ 'Server-Token': TOKEN });
    expect(kept).to.deep.equal([TOKEN]);
  });

  it('pings at the interval that the service tells, give or take a tenth, and at any time of the first one', async () => {
    const one = announcer();
    const told = answer(200, { status: 'success' }, { 'Server-Ping-Interval': '4' });
    const [first] = await turns(one, LISTED);
    expect(first!.waitMs).to.equal(0.5 * INTERVAL_MS);
    random = 0;
    expect((await turns(one, told))[0]!.waitMs).to.be.closeTo(3600, 1e-6);
    random = 1;
    expect((await turns(one, told))[0]!.waitMs).to.be.closeTo(4400, 1e-6);
    for (const nonsense of ['0', '0.5', '-3', 'soon', '1e99', '']) {
      await turns(one, answer(200, { status: 'success' }, { 'Server-Ping-Interval': nonsense }));
      expect(one.pingIntervalMs, nonsense).to.equal(4000);
    }
  });

  it('repeats a broadcast without an answer under the same key, with growing pauses', async () => {
    const one = announcer();
    random = 1;
    const done = await turns(one, ...Array.from({ length: 7 }, () => answer(0)), LISTED);
    expect(done.map(({ waitMs }) => waitMs / 1000)).to.deep.equal([1, 2, 4, 8, 16, 20, 20, 20]);
    expect(new Set(sent.map(({ headers }) => headers!['Idempotency-Key'])).size).to.equal(1);
  });

  for (const [what, status, body] of [
    ['no answer', 0, {}],
    ['a redirect', 307, { status: 'success' }],
    ['the page of a proxy', 200, {}],
    ['a path that a proxy does not know', 404, {}],
    ['JSON of another service', 404, { code: 'unknown_server' }],
    ['a status that is no text', 403, { status: 403, code: 'not_owner' }],
    ...[408, 429, 500, 502, 503, 504].map((each) => [`${each}`, each, { status: 'error' }] as const),
  ] as const)
    it(`sends the same again after ${what}, shortened at random, and never before Retry-After`, async () => {
      const one = announcer();
      await turns(one, LISTED);
      random = 0;
      const [plain] = await turns(one, answer(status, body));
      expect(plain!.waitMs).to.equal(500);
      const [inSeconds] = await turns(one, answer(status, body, { 'Retry-After': '90' }));
      expect(inSeconds!.waitMs).to.equal(90_000);
      const date = new Date(now + 45_000).toUTCString();
      const [untilDate] = await turns(one, answer(status, body, { 'Retry-After': date }));
      expect(untilDate!.waitMs).to.equal(45_000);
      await turns(one, PINGED);
      expect(sent.slice(1).map(({ path }) => path)).to.deep.equal(['/ping', '/ping', '/ping', '/ping']);
    });

  it('counts a date of Retry-After from the clock of the service, and waits for an hour at most', async () => {
    const one = announcer();
    const its = Date.parse('2020-02-02T00:00:00Z');
    const dates = (ms: number): Readonly<Record<string, string>> => ({
      Date: new Date(its).toUTCString(),
      'Retry-After': new Date(its + ms).toUTCString(),
    });
    const [ahead] = await turns(one, answer(503, {}, dates(45_000)));
    expect(ahead!.waitMs).to.equal(45_000);
    const [past] = await turns(one, answer(503, {}, dates(-45_000)));
    expect(past!.waitMs).to.equal(1500);
    for (const headers of [dates(1e9), { 'Retry-After': '99999999999' }])
      expect((await turns(one, answer(503, {}, headers)))[0]!.waitMs).to.equal(3_600_000);
  });

  it('waits in the same way while another entry has its address', async () => {
    const [turn] = await turns(announcer(), refusal(409, 'address_taken'));
    expect(turn!.waitMs).to.equal(750);
  });

  for (const [status, code] of [
    [404, 'unknown_server'],
    [403, 'ip_mismatch'],
    [409, 'idempotency_key_used'],
  ] as const)
    it(`broadcasts again after ${code}, within one interval, with its token and a fresh key`, async () => {
      const one = announcer();
      await turns(one, LISTED);
      const key = lastHeader('Idempotency-Key');
      const [turn] = await turns(one, refusal(status, code));
      expect(turn!.waitMs).to.equal(0.5 * INTERVAL_MS);
      expect(one.id).to.equal(undefined);
      await turns(one, LISTED);
      expect(sent.at(-1)!.path).to.equal('/broadcast');
      expect(lastHeader('Server-Token')).to.equal(TOKEN);
      expect(lastHeader('Idempotency-Key')).to.not.equal(key);
    });

  for (const [status, code] of [
    [403, 'not_owner'],
    [403, 'server_token_required'],
  ] as const)
    it(`claims anew after ${code}, and once until a ping has succeeded`, async () => {
      const one = announcer();
      await turns(one, LISTED);
      const [soon] = await turns(one, refusal(status, code));
      expect(soon!.waitMs).to.equal(0.5 * INTERVAL_MS);
      await turns(one, LISTED);
      expect([sent.at(-1)!.path, lastHeader('Server-Token')]).to.deep.equal(['/broadcast', 'claim']);
      const [late] = await turns(one, refusal(status, code));
      expect(late!.waitMs).to.equal(PERSON_MS);
      await turns(one, LISTED, PINGED);
      const [soonAgain] = await turns(one, refusal(status, code));
      expect(soonAgain!.waitMs).to.equal(0.5 * INTERVAL_MS);
      expect(kept).to.deep.equal([TOKEN, undefined, TOKEN, undefined, TOKEN, undefined]);
    });

  it('begins with the token that was kept, and claims anew once if no service has issued it', async () => {
    const one = announcer('damaged');
    const [turn] = await turns(one, refusal(400, 'invalid_request'));
    expect([lastHeader('Server-Token'), turn!.waitMs]).to.deep.equal(['damaged', 0.5 * INTERVAL_MS]);
    expect(kept).to.deep.equal([undefined]);
    const [late] = await turns(one, refusal(400, 'invalid_request'));
    expect([lastHeader('Server-Token'), late!.waitMs]).to.deep.equal(['claim', PERSON_MS]);
  });

  for (const wrong of [
    refusal(400, 'invalid_request'),
    refusal(401, 'unauthorized'),
    refusal(403, 'banned'),
    answer(200, { status: 'error' }),
    answer(200, { status: 'success' }),
    answer(200, { status: 'success', server_id: 7 }),
  ])
    it(`waits minutes for a person after ${wrong.status} ${wrong.code ?? JSON.stringify(wrong.body)}`, async () => {
      const one = announcer();
      const [turn] = await turns(one, wrong);
      expect([turn!.waitMs, one.id]).to.deep.equal([PERSON_MS, undefined]);
    });

  it('knows what the service told last of its verification and its join code', async () => {
    const one = announcer();
    expect([one.verification, one.joinCode]).to.deep.equal([undefined, undefined]);
    await turns(
      one,
      answer(503, {}, { 'Server-Verification': 'no answer', 'Server-Join-Code': 'A1' }),
      LISTED,
    );
    expect([one.verification, one.joinCode]).to.deep.equal(['no answer', 'A1']);
    await turns(one, answer(200, { status: 'success' }, { 'Server-Verification': 'verified' }));
    expect([one.verification, one.joinCode]).to.deep.equal(['verified', 'A1']);
  });

  it('tells an accepted turn from a 200 of a proxy', async () => {
    const told = await turns(announcer(), LISTED, answer(200), PINGED);
    expect(told.map(({ isAccepted }) => isAccepted)).to.deep.equal([true, false, true]);
  });

  it('removes its entry with its token, and broadcasts next', async () => {
    const one = announcer();
    expect(await one.remove(FIELDS)).to.equal(undefined);
    await turns(one, LISTED);
    await one.remove(FIELDS);
    expect(sent.at(-1)).to.deep.include({ path: '/remove', body: { server_id: 'id', server_ip: 'auto' } });
    expect(lastHeader('Server-Token')).to.equal(TOKEN);
    await turns(one, LISTED);
    expect(sent.at(-1)!.path).to.equal('/broadcast');
  });

  it('never waits less than half a second after a failure, whatever a service answers', async () => {
    const anyAnswer = fc
      .record({
        status: fc.constantFrom(0, 200, 204, 301, 400, 401, 403, 404, 408, 409, 429, 500, 503),
        code: fc.constantFrom(
          undefined,
          'unknown_server',
          'not_owner',
          'banned',
          'address_taken',
          'invalid_request',
        ),
        retryAfter: fc.constantFrom(
          '',
          '0',
          '-1',
          '5',
          'soon',
          '99999999999',
          'Thu, 01 Jan 1970 00:00:00 GMT',
        ),
        interval: fc.constantFrom('', '0', '3', 'NaN', '-5'),
        random: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ status, code, retryAfter, interval, random: drawn }) => ({
        drawn,
        answer: answer(
          status,
          { ...(code && { code }) },
          { 'Retry-After': retryAfter, 'Server-Ping-Interval': interval },
        ),
      }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyAnswer, { maxLength: 30 }), async (script) => {
        const one = announcer();
        for (const { drawn, answer: told } of script) {
          random = drawn;
          const [{ waitMs }] = (await turns(one, told)) as [Turn];
          expect(waitMs).to.be.within(0, 3_600_000);
          const isBroadcastAgain = ['unknown_server', 'not_owner', 'invalid_request'].includes(
            told.code ?? '',
          );
          if (!isBroadcastAgain) expect(waitMs).to.be.at.least(500);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
