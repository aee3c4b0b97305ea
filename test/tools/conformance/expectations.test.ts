/** What the kit has against a request, one by one. */

import { expect } from 'chai';
import { checkLatency, checkWrite, Names, type Known } from '../../../src/tools/conformance/expectations.ts';
import {
  checkFailed,
  checkRead,
  checkReport,
  checkServers,
} from '../../../src/tools/conformance/read-expectations.ts';
import type { ScriptedRequest } from '../../../src/tools/conformance/scripted-service.ts';
import { SceneFailure } from '../../../src/tools/conformance/scene-failure.ts';

const names = (): Names => {
  let count = 0;
  return new Names(() => `made-${(count += 1)}`);
};

const known = (query = ''): Known => {
  const [ids, tokens, tags] = [names(), names(), names()];
  return {
    ids,
    tokens,
    tags,
    idempotencyKey: undefined,
    usedKeys: new Set(),
    key: undefined,
    query,
    near: {},
  };
};

const request = (
  what: string,
  headers: Readonly<Record<string, string>> = {},
  text = '{}',
): ScriptedRequest => {
  const [method, path] = what.split(' ') as [string, string];
  return { method, url: new URL(path, 'http://localhost'), headers, text } as unknown as ScriptedRequest;
};

function failureOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof SceneFailure)) throw error;
    return `${error.expected} / ${error.seen}`;
  }
}

/** What is wrong with this query of a reader that has measured one beacon; `own`: what it was given. */
function failureOfNear(query: string, own = ''): string | undefined {
  const scene: Known = { ...known(own), near: { a: [5, 10] } };
  return failureOf(() => checkRead(request(`GET /servers?${query}`), '', { get: '/servers' }, scene));
}

describe('what a reader sends', () => {
  for (const [what, headers, expected, failure] of [
    ['GET /', {}, { get: '/' }, undefined],
    ['GET /', { 'accept-encoding': 'br' }, { get: '/', accept: 'gzip' }, 'gzip in Accept-Encoding / br'],
    ['GET /', { 'if-none-match': '"made-1"' }, { get: '/', at: 'first' }, undefined],
    ['GET /', { 'if-none-match': 'made-1' }, { get: '/', at: 'first' }, 'the tag first / the tag first'],
    ['GET /', {}, { get: '/', at: 'first' }, 'the tag first / none'],
    ['GET /changes?since=made-1', {}, { get: '/changes', at: 'first' }, undefined],
    ['GET /changes', { 'last-event-id': 'made-1' }, { get: '/changes', at: 'first' }, undefined],
    ['GET /changes?since=x', {}, { get: '/changes', at: 'none' }, 'no tag / the tag x'],
    [
      'GET /changes',
      { accept: 'text/event-stream' },
      { get: '/changes', accept: 'json' },
      'a poll, without text/event-stream in Accept / text/event-stream',
    ],
    ['GET /servers?cursor=made-1', {}, { get: '/servers', cursor: 'next' }, undefined],
    ['GET /servers?cursor=x', {}, { get: '/servers', cursor: 'next' }, 'the cursor next / x'],
    ['GET /servers?cursor=made-1', {}, { get: '/servers' }, /^no cursor \//],
    ['GET /servers?limit=0', {}, { get: '/servers' }, 'a limit of 1 to 1000 / 0'],
    ['GET /servers?limit=1000', {}, { get: '/servers' }, undefined],
    ['GET /servers?near=a:10&sort=near', {}, { get: '/servers' }, /^the query to be /],
    ['GET /servers?near=a:10', {}, { get: '/servers' }, /^the latency {} in the query/],
    ['GET /beacons?x', {}, { get: '/beacons' }, /^the query to be /],
  ] as const)
    it(`is judged: ${what} ${JSON.stringify(headers)} where ${JSON.stringify(expected)}`, () => {
      const scene = known();
      const check = (): void => checkRead(request(what, headers), '', expected, scene);
      const seen = failureOf(check);
      if (failure instanceof RegExp) expect(seen).to.match(failure);
      else expect(seen).to.equal(failure);
    });

  it('has near and its order where something was measured', () => {
    expect(failureOfNear('near=a:10&sort=near')).to.equal(undefined);
    expect(failureOfNear('sort=name&near=a:10', 'sort=name')).to.equal(undefined);
    expect(failureOfNear('near=a:10')).to.match(/^the query to be &?sort=near/);
    expect(failureOfNear('sort=near')).to.match(/^the latency .* \/ none$/);
    expect(failureOfNear('near=a:7&sort=near')).to.match(/{"a":"7"}$/);
  });

  it('may escape what means the same', () => {
    const scene = known('map=de_*&q=a b&name=%C3%BC%2C');
    const check = (query: string) => (): void =>
      checkRead(request(`GET /servers?${query}`), '', { get: '/servers' }, scene);
    expect(failureOf(check('q=a%20b&map=de_*&name=%c3%bc%2c'))).to.equal(undefined);
    expect(failureOf(check('q=a%20b&map=de_%2A&name=%C3%BC%2C'))).to.match(/^the query to be /);
    expect(failureOf(check('q=a%20b&map=de_*&name=%C3%BC,'))).to.match(/^the query to be /);
  });
});

describe('a report', () => {
  const HEADERS = { 'content-type': 'application/json' };
  const said = (what: string, body: object, headers: Readonly<Record<string, string>> = HEADERS) =>
    failureOf(() =>
      checkReport(
        request(what, headers, JSON.stringify(body)),
        '/eu',
        { id: 'a', reason: 'cheating' },
        known(),
      ),
    );

  it('has its id and reason in any order, and nothing else', () => {
    expect(said('POST /eu/report', { reason: 'cheating', id: 'a' })).to.equal(undefined);
    expect(said('POST /eu/report', { id: 'a', reason: 'cheating', note: '' })).to.match(
      /^the body of the report to be .*"cheating"\} \/ .*"note":""/,
    );
    expect(said('POST /eu/report', { id: 'a' })).to.match(/^the body of the report to be /);
  });

  it('is a POST of JSON at the path of the service', () => {
    const body = { id: 'a', reason: 'cheating' };
    expect(said('POST /report', body)).to.equal('the request to be POST /eu/report / POST /report');
    expect(said('GET /eu/report?id=a', body)).to.match(/^the request to be POST/);
    expect(said('POST /eu/report', body, {})).to.match(/^Content-Type: application\/json/);
  });
});

describe('what a reader says', () => {
  it('is the servers that there are, by their names, and whether they are current', () => {
    const scene = known();
    const [a, b] = ['A', 'B'].map((name) => scene.ids.of(name));
    const said = (line: object): string | undefined =>
      failureOf(() => checkServers(line, { servers: ['A', 'B'], called: { A: 'Oslo' } }, scene));
    expect(said({ ids: [b, a], names: ['x', 'Oslo'] })).to.equal(undefined);
    expect(said({ ids: [a, a], names: [] })).to.equal('the servers [A, B] / [A, A]');
    expect(said({ ids: [a, b, 'strange'] })).to.equal('the servers [A, B] / [A, B, strange]');
    expect(said({ ids: [a, b], names: ['Rome'] })).to.match(/^the name of the server A to be Oslo \/ Rome$/);
    expect(said({ ids: [a, b], names: ['Oslo'], stale: true })).to.equal(
      'a list that is current / the opposite',
    );
    const stale = (): void => checkServers({ ids: [a] }, { servers: ['A'], stale: true }, scene);
    expect(failureOf(stale)).to.equal('a list that is stale / the opposite');
  });

  it('is why it failed, in printable words', () => {
    expect(failureOf(() => checkFailed('refused', /refused/))).to.equal(undefined);
    expect(failureOf(() => checkFailed('oh', /refused/))).to.equal('a failure that says /refused/ / oh');
    expect(failureOf(() => checkFailed('refused\u0007', /refused/))).to.match(
      /^words of printable characters/,
    );
  });
});

describe('a latency', () => {
  const BEACONS = { fra: [5, 9], nyc: [80, 90] } as const;
  for (const [said, beacons, isRight] of [
    [{ nyc: 80, fra: 9 }, BEACONS, true],
    [undefined, BEACONS, false],
    [null, BEACONS, false],
    [[], BEACONS, false],
    [{ fra: 9 }, BEACONS, false],
    [{ fra: 9, nyc: 99 }, BEACONS, false],
    [{ fra: 8.5, nyc: 80 }, BEACONS, false],
    [{ fra: '9', nyc: 80 }, BEACONS, false],
    [{ fra: 9, nyc: 80, lax: 9 }, BEACONS, false],
    [{ fra: 9, lax: 80 }, BEACONS, false],
    [undefined, {}, true],
    [{}, {}, true],
  ] as const)
    it(`is ${isRight ? '' : 'not '}${JSON.stringify(said)} where there are ${JSON.stringify(beacons)}`, () => {
      const failure = failureOf(() => checkLatency(said, beacons, 'the ping'));
      if (isRight) expect(failure).to.equal(undefined);
      else expect(failure).to.match(/^the latency .* in the ping \/ /);
    });
});

describe('what a game server sends', () => {
  const HEADERS = { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(16) };
  const check = (headers: Record<string, string>, token?: string): string | undefined =>
    failureOf(() =>
      checkWrite(
        request('POST /broadcast', { ...HEADERS, ...headers }),
        '',
        { request: 'broadcast', ...(token !== undefined && { token }), answer: { silence: true } },
        known(),
      ),
    );

  const remove = (keepsId: boolean, body: object): string | undefined =>
    failureOf(() =>
      checkWrite(
        request('POST /remove', { ...HEADERS, 'server-token': 'claim' }, JSON.stringify(body)),
        '',
        { request: 'remove', keepsId, answer: { silence: true } },
        known(),
      ),
    );

  it('has a token, whichever that is', () => {
    expect(check({ 'server-token': 'claim' })).to.equal(undefined);
    expect(check({})).to.equal('a Server-Token with the broadcast / none');
  });

  it('keeps the id where the scene wants it, and nowhere else', () => {
    expect(remove(true, { keep_id: true })).to.equal(undefined);
    expect(remove(false, {})).to.equal(undefined);
    expect(remove(true, {})).to.equal('"keep_id" of the remove to be true / undefined');
    expect(remove(false, { keep_id: true })).to.equal('"keep_id" of the remove to be undefined / true');
  });

  it('has the token that the scene wants', () => {
    expect(check({ 'server-token': 'claim' }, 'claim')).to.equal(undefined);
    expect(check({ 'server-token': 'made-1' }, 'A')).to.equal(undefined);
    expect(check({}, 'A')).to.match(/to be the token A \/ none$/);
    expect(check({ 'server-token': 'x' }, 'A')).to.match(/ \/ an unknown one$/);
  });

  it('has one key, in quotes or bare', () => {
    const key = 'k'.repeat(16);
    const scene = { ...known(), idempotencyKey: key, usedKeys: new Set([key]) };
    const said = (sent: string, expected: 'same' | 'fresh'): string | undefined => {
      const headers = { ...HEADERS, 'server-token': 'claim', 'idempotency-key': sent };
      const wanted = { request: 'broadcast', key: expected, answer: { silence: true } } as const;
      return failureOf(() => checkWrite(request('POST /broadcast', headers), '', wanted, scene));
    };
    expect(said(`"${key}"`, 'same')).to.equal(undefined);
    expect(said(`"${key}"`, 'fresh')).to.equal('a fresh Idempotency-Key / one that was used before');
    expect(said(`"${'k'.repeat(14)}"`, 'fresh')).to.match(/of 16 printable characters or more \/ 14 of them/);
  });
});
