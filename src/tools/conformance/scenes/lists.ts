/** One list, read once more and once again. */

import type { Act, AnswerScript } from '../scene.ts';
import { gets, answersJson, lists, theme } from './acts.ts';

const broken = (each: Readonly<Record<string, unknown>>): AnswerScript => ({
  servers: { ids: ['B', 'C'], etag: 'broken', each },
});

const BROKEN: readonly AnswerScript[] = [
  { status: 200 },
  { status: 502 },
  { status: 404, body: '' },
  { status: 302, headers: { Location: '/elsewhere' }, body: '' },
  { servers: { ids: ['B', 'C'], etag: 'broken', cut: true } },
  { reset: 'within' },
  { reset: 'before' },
  { silence: true },
  answersJson(200, ''),
  answersJson(200, 'null'),
  answersJson(200, '[]'),
  answersJson(200, '{}'),
  answersJson(200, '{"servers":null,"count":0}'),
  answersJson(200, '{"servers":{"length":1},"count":1}'),
  answersJson(200, '{"servers":[null],"count":1}'),
  answersJson(200, '{"servers":[[]],"count":1}'),
  answersJson(200, '{"servers":[{}],"count":1}'),
  answersJson(200, '{"servers":[],"count":0'),
  answersJson(200, `{"servers":${'['.repeat(100_000)}`),
  answersJson(200, `{"servers":${'['.repeat(100_000)}${']'.repeat(100_000)},"count":1}`),
  broken({ id: undefined }),
  broken({ id: 7 }),
  broken({ name: null }),
  broken({ host: ['eu1.example.com'] }),
  broken({ port: '7777' }),
  broken({ players: undefined }),
  broken({ max_players: {} }),
];

const once = (answer: AnswerScript): readonly Act[] => [
  { list: true },
  { get: '/', at: 'good', answer },
  { failed: /[a-z]{2}/i },
];

export const LISTS = theme(['list'], {
  'plain-list': {
    rule: 'The list is asked for, and told with all of its servers. What it does not know is no reason to fail.',
    proves: ['docs/write-a-client.md', '**`list`** is `GET /`'],
    short: true,
    acts: [
      ...lists({ at: 'none', answer: { servers: { ids: ['A', 'B', 'C'] } } }, ['A', 'B', 'C'], {
        called: { A: 'Frankfurt 1', C: 'Frankfurt 3' },
      }),
      ...lists({ at: 'none', answer: { servers: { ids: [] } } }, []),
      ...lists(
        {
          answer: {
            servers: {
              ids: ['A', 'B'],
              each: { mood: null, seats: { front: [1, 2.5, -3e-7] }, ['__proto__']: { id: 'Z' } },
              also: { weather: ['fine', { wind: true }], status: 'success' },
            },
          },
        },
        ['A', 'B'],
      ),
      ...lists(
        { answer: { servers: { ids: ['A'], each: { name: '東京 \u{1f3ae} "\\" Ünïcödé' } } } },
        ['A'],
        { called: { A: '東京 \u{1f3ae} "\\" Ünïcödé' } },
      ),
    ],
  },
  'unchanged-list': {
    rule: 'The ETag of the result before goes as If-None-Match, and a 304 is the same servers once more.',
    proves: ['docs/write-a-client.md', 'sends the `ETag` of `previous` as `If-None-Match`'],
    short: true,
    acts: [
      ...lists({ at: 'none', answer: { servers: { ids: ['A', 'B'], etag: 'first' } } }, ['A', 'B']),
      ...lists({ at: 'first', answer: { unchanged: true } }, ['A', 'B']),
      ...lists({ at: 'first', answer: { servers: { ids: ['B', 'C'], etag: 'second' } } }, ['B', 'C']),
      ...lists({ at: 'second', answer: { unchanged: true } }, ['B', 'C']),
    ],
  },
  'compressed-list': {
    needs: ['gzip'],
    rule: 'The list is asked for in gzip, and understood plain or in gzip.',
    proves: ['docs/write-a-client.md', 'It takes gzip where the platform can'],
    acts: [
      ...lists(
        { accept: 'gzip', answer: { servers: { ids: ['A', 'B'], etag: 'first', gzip: true } } },
        ['A', 'B'],
        { called: { B: 'Frankfurt 2' } },
      ),
      ...lists({ at: 'first', accept: 'gzip', answer: { unchanged: true } }, ['A', 'B']),
      ...lists({ accept: 'gzip', answer: { servers: { ids: ['A'] } } }, ['A']),
      { list: true },
      gets(
        '/',
        {
          status: 200,
          headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
          body: '{}',
        },
        { accept: 'gzip' },
      ),
      { failed: /./ },
    ],
  },
  'stale-list': {
    rule: 'A list with Warning 110 is told as stale, also by a 304, and as current once it is so again.',
    proves: ['docs/write-a-client.md', 'An answer with `Warning: 110` is stale since its `Age`'],
    acts: [
      ...lists({ answer: { servers: { ids: ['A', 'B'], etag: 'current' } } }, ['A', 'B']),
      ...lists(
        { at: 'current', answer: { servers: { ids: ['A', 'B'], etag: 'stale', staleFor: 3 } } },
        ['A', 'B'],
        { stale: true },
      ),
      ...lists({ at: 'stale', answer: { unchanged: true, staleFor: 9 } }, ['A', 'B'], { stale: true }),
      ...lists({ at: 'stale', answer: { servers: { ids: ['A', 'B'], etag: 'current' } } }, ['A', 'B']),
    ],
  },
  'broken-lists': {
    rule: 'What is no list of GSLS is a failure in words, and the result before stays good.',
    proves: [
      'docs/write-a-client.md',
      'An answer that is none of GSLS** is a failure, and what is known stays',
    ],
    timeoutMs: 3000,
    acts: [
      ...lists({ answer: { servers: { ids: ['A'], etag: 'good' } } }, ['A']),
      ...BROKEN.flatMap(once),
      ...lists({ at: 'good', answer: { unchanged: true } }, ['A']),
    ],
  },
  'words-of-the-service': {
    needs: ['find'],
    rule: 'An error ends list and find with the words of the service, in printable characters, and without a second try.',
    proves: ['docs/write-a-client.md', 'ends `list` and `find` with the words of the service'],
    acts: [
      { list: true },
      gets('/', { refuse: 'unauthorized' }),
      { failed: /a valid key is needed/ },
      { find: 'mapp=de_dust2' },
      gets('/servers', { refuse: 'invalid_query', says: 'there is no parameter mapp: did you mean map?' }),
      { failed: /there is no parameter mapp: did you mean map\?/ },
      { list: true },
      gets('/', { refuse: 'rate_limited', retryAfter: 7, says: 'slower\u001b[2J please\r\n' }),
      { failed: /slower.*please/ },
      { list: true },
      gets('/', { refuse: 'registry_unavailable', retryAfter: 1, says: 'the registry is away' }),
      { failed: /the registry is away/ },
      { nothing: 300 },
      ...lists({ answer: { servers: { ids: ['A'] } } }, ['A']),
    ],
  },
});
