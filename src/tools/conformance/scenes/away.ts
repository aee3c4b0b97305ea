/** A reader whose service is away: it asks another one, or has the last list in a file. */

import type { Act, AnswerScript, ReadExpected } from '../scene.ts';
import {
  answersJson,
  asks,
  asksAfter,
  FIRST,
  gets,
  lists,
  PAUSES,
  tells,
  theme,
  watches,
  whole,
} from './acts.ts';

const AWAY: AnswerScript = { status: 502 };
/** The first request of a process alone: on a connection that was used before, some platforms send it once more. */
const RESET: AnswerScript = { reset: 'before' };

const listed = (ids: readonly string[], from: string): Act => gets('/', { servers: { ids } }, { from });
const fails = (get: ReadExpected['get'], from: string, answer: AnswerScript = AWAY): Act =>
  gets(get, answer, { from });
/** The request of a watch, at once. */
const follows = (from: string, at: string, answer: AnswerScript): Act =>
  asks(at, answer, { from, after: [0, 0] });

const OF_SEVERAL = theme(['urls'], {
  'second-url': {
    needs: ['list', 'find'],
    rule: 'Where the first URL fails, the next one is asked at once; each call begins with the first.',
    proves: ['docs/write-a-client.md', 'the first that answers in time'],
    paths: ['/a', '/b'],
    timeoutMs: 3000,
    acts: [
      ...[
        RESET,
        { status: 502 },
        { status: 200 },
        { silence: true },
        { servers: { ids: ['X'], cut: true } },
        { refuse: 'rate_limited', retryAfter: 60 },
        { refuse: 'unauthorized' },
      ].flatMap((answer): readonly Act[] => [
        { list: true },
        fails('/', '/a', answer as AnswerScript),
        listed(['A', 'B'], '/b'),
        { servers: ['A', 'B'] },
      ]),
      { list: true },
      listed(['C'], '/a'),
      { servers: ['C'] },
      { find: 'region=eu' },
      gets('/servers', { servers: { ids: ['A'], next: 'second' } }, { from: '/a' }),
      gets('/servers', { status: 502 }, { from: '/a', cursor: 'second' }),
      gets('/servers', { servers: { ids: ['D', 'E'], next: null } }, { from: '/b' }),
      { servers: ['D', 'E'] },
    ],
  },
  'no-url-answers': {
    needs: ['list'],
    rule: 'Once all URLs have failed, that is a failure with the words of the first.',
    proves: ['docs/write-a-client.md', 'with the words of the first'],
    paths: ['/a', '/b'],
    acts: [
      { list: true },
      fails('/', '/a', { refuse: 'unauthorized' }),
      fails('/', '/b'),
      { failed: /a valid key is needed/ },
      { list: true },
      fails('/', '/a', { refuse: 'registry_unavailable', says: 'the registry is away' }),
      fails('/', '/b', { refuse: 'unauthorized' }),
      { failed: /the registry is away/ },
    ],
  },
  'watch-of-several': {
    needs: ['watch', 'stream'],
    rule: 'A watch goes on at the next URL with what it knows, and pauses once all have failed.',
    proves: ['docs/write-a-client.md', 'once all have failed'],
    paths: ['/a', '/b'],
    acts: [
      { watch: '' },
      asks('none', { status: 502 }, { from: '/a' }),
      follows('/b', 'none', { stream: [whole(['A', 'B'], '1')] }),
      { servers: ['A', 'B'] },
      { end: 'cut' },
      asks('1', { status: 503 }, { from: '/b', after: FIRST }),
      follows('/a', '1', { stream: [whole(['B', 'C'], '2')] }),
      { servers: ['B', 'C'] },
      { end: 'well' },
      asks('2', AWAY, { from: '/a', after: FIRST }),
      follows('/b', '2', AWAY),
      asks('2', AWAY, { from: '/a', after: FIRST }),
      follows('/b', '2', { refuse: 'rate_limited', retryAfter: 5 }),
      asks('2', { stream: [{ bookmark: '3' }] }, { from: '/a', after: [5000, 5000] }),
      ...tells({ changes: { ids: ['D'], tag: '4' } }, ['B', 'C', 'D']),
    ],
  },
  'first-url-is-back': {
    needs: ['watch', 'stream'],
    rule: 'A watch tries the first URL again after 60 s: from a stream, and from polls. It loses nothing if that is away.',
    proves: ['docs/write-a-client.md', 'the first one again after 60 s'],
    paths: ['/a', '/b'],
    timeoutMs: 3000,
    acts: [
      { watch: '' },
      asks('none', RESET, { from: '/a' }),
      follows('/b', 'none', { stream: [whole(['A'], '1')] }),
      { servers: ['A'] },
      { sleep: 61_000 },
      { send: [{ bookmark: '1' }] },
      asks('1', { silence: true }, { from: '/a', accept: 'stream' }),
      follows('/b', '1', { stream: [{ changes: { ids: ['B'], tag: '2' } }] }),
      { servers: ['A', 'B'] },
      { sleep: 61_000 },
      { send: [{ bookmark: '2' }] },
      asks('2', { stream: [whole(['B', 'C'], '3')] }, { from: '/a' }),
      { servers: ['B', 'C'] },
    ],
  },
});

const KEPT = theme(['keep'], {
  'kept-list': {
    needs: ['list'],
    rule: 'Where nothing answers, a list is that of the file, and stale; a wrong key is told, and a damaged file ignored.',
    proves: ['docs/write-a-client.md', '`keep`: a file with the last list'],
    keeps: true,
    acts: [
      { list: true },
      gets('/', RESET),
      { failed: /[a-z]{2}/i },
      ...lists(
        { answer: { servers: { ids: ['A', 'B'], etag: 'first', each: { name: '東京 \u{1f3ae}' } } } },
        ['A', 'B'],
      ),
      ...lists({ at: 'first', answer: { unchanged: true } }, ['A', 'B']),
      ...lists({ answer: { status: 502 } }, ['A', 'B'], { stale: true, called: { B: '東京 \u{1f3ae}' } }),
      { restart: true },
      ...lists({ at: 'none', answer: AWAY }, ['A', 'B'], { stale: true }),
      { list: true },
      gets('/', { refuse: 'unauthorized' }),
      { failed: /a valid key is needed/ },
      ...lists({ answer: { servers: { ids: [] } } }, []),
      ...lists({ answer: AWAY }, [], { stale: true }),
      ...[
        '',
        '{"servers":[],"as_of":"soon"}',
        '{"as_of":"2026-11-21T10:20:30.123Z","servers":[{"id":"X"}]}',
      ].flatMap((text): readonly Act[] => [
        { keptFile: text },
        { list: true },
        gets('/', AWAY),
        { failed: /[a-z]{2}/i },
      ]),
    ],
  },
  'kept-watch': {
    needs: ['watch', 'stream'],
    rule: 'A watch begins with the list of the file where nothing answers, as stale, and goes on with that of the service.',
    proves: ['docs/write-a-client.md', '`keep`: a file with the last list'],
    keeps: true,
    acts: [
      ...watches(['A', 'B']),
      ...tells({ changes: { ids: ['C'], removed: ['A'], tag: '2' } }, ['B', 'C']),
      { stop: {} },
      { restart: true },
      { watch: '' },
      asks('none', RESET),
      { servers: ['B', 'C'], stale: true },
      asksAfter(FIRST, 'none', { status: 503 }),
      asksAfter(PAUSES[1]!, 'none', { stream: [whole(['C', 'D'], '1')] }),
      { servers: ['C', 'D'] },
      { stop: {} },
      { keptFile: '{"servers":' },
      { watch: '' },
      asks('none', answersJson(200, '{}')),
      asksAfter(FIRST, 'none', { stream: [whole(['A'], '1')] }),
      { servers: ['A'] },
      { logged: /holds no list/ },
    ],
  },
});

export const AWAY_SCENES = [...OF_SEVERAL, ...KEPT];
