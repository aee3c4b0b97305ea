/** Scenes that try a reader: refusals, hostile changes, stops and large answers. */

import type { Act, ServersScript, StreamEvent } from '../scene.ts';
import {
  FIRST,
  PAUSES,
  asks,
  asksAfter,
  changesEvent,
  follows,
  gets,
  lists,
  tells,
  theme,
  whole,
} from './acts.ts';

const WRONG: readonly Partial<ServersScript>[] = [
  { each: { id: undefined } },
  { each: { id: { toString: 'A' } } },
  { each: { port: '7777' } },
  { each: { players: null } },
  { each: { registered_at: undefined } },
  { also: { servers: null } },
  { also: { removed: 'A' } },
  { also: { removed: [7] } },
  { also: { full: 1 } },
  { also: { tag: 2 } },
];
const wrong = (more: Partial<ServersScript>): StreamEvent => ({ changes: { ids: ['B'], tag: '2', ...more } });
const BROKEN: StreamEvent = { raw: 'event: changes\ndata: {"servers":[]\n\n' };

/** A failure that follows `failures` others in a row. */
const once = (event: StreamEvent, failures: number): Act => {
  const pauseMs = Math.min(30_000, 1000 * 2 ** failures);
  return { get: '/changes', after: [pauseMs / 2, pauseMs], at: '1', answer: { stream: [event] } };
};

const namesOf = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, index) => `server ${from + index}`);

const ALL = namesOf(10_000);
const PAGES = 10;

const page = (index: number): Act => ({
  get: '/servers',
  ...(index > 0 && { cursor: `page ${index}` }),
  answer: {
    servers: { ids: namesOf(1000, 1000 * index), next: index === PAGES - 1 ? null : `page ${index + 1}` },
  },
});

const MORE_THAN_IS_READ = 65 * 2 ** 20;

export const TRIALS = theme([], {
  'words-to-a-watch': {
    needs: ['watch'],
    rule: 'A watch tells an error in its query or key in the words of the service, and asks again after 30 s at the most.',
    proves: ['docs/write-a-client.md', '`watch` logs them, and asks again after 30 s at most'],
    acts: [
      { watch: 'mapp=x' },
      gets('/changes', { refuse: 'invalid_query', says: 'there is no parameter mapp: did you mean map?' }),
      gets('/changes', { refuse: 'unauthorized', says: 'this key is not known' }, { after: [500, 30_000] }),
      gets('/changes', { servers: { ids: ['A'], full: true, tag: '1' } }, { after: [500, 30_000] }),
      { servers: ['A'] },
      { logged: /there is no parameter mapp: did you mean map\?/ },
      { logged: /this key is not known/ },
    ],
  },
  'hostile-changes': {
    needs: ['watch', 'stream'],
    rule: 'Changes with a server that is none, or that are none themselves, are a failure, and what is known stays.',
    proves: ['docs/write-a-client.md', 'So is one with a server without its fields'],
    acts: [
      { watch: '' },
      asks('none', { stream: [changesEvent(['B'], '1')] }),
      asksAfter(FIRST, 'none', { stream: [whole(['A'], '1')] }),
      { servers: ['A'] },
      { send: [BROKEN] },
      ...[BROKEN, ...WRONG.map(wrong)].map(once),
      asksAfter([15_000, 30_000], '1', { stream: [changesEvent(['C'], '2')] }),
      { servers: ['A', 'C'] },
    ],
  },
  'stop-of-a-watch': {
    needs: ['watch', 'stream'],
    rule: 'A stop ends a watch, and lets go of its connection: in a stream, in a pause, and in a request.',
    proves: ['docs/write-a-client.md', 'The stop of a watch'],
    timeoutMs: 10_000,
    acts: [
      ...follows([whole(['A'], '1')], ['A']),
      { stop: {} },
      { nothing: 300 },
      { watch: '' },
      asks('none', { refuse: 'registry_unavailable' }),
      { stop: {} },
      { watch: '' },
      { get: '/changes', at: 'none', meanwhile: [{ stop: {} }], answer: { silence: true } },
      { watch: '' },
      asks('none', { refuse: 'registry_unavailable' }),
      asksAfter(FIRST, 'none', { refuse: 'registry_unavailable' }),
      asksAfter(PAUSES[1]!, 'none', { refuse: 'registry_unavailable' }),
      asksAfter(PAUSES[2]!, 'none', { refuse: 'registry_unavailable' }),
    ],
  },
  'ten-thousand-servers': {
    needs: ['list', 'find', 'watch', 'stream'],
    rule: 'Ten thousand servers are no problem: as a list, in pages, and by a stream.',
    proves: ['docs/write-a-client.md', 'up to 64 MiB'],
    acts: [
      ...lists({ answer: { servers: { ids: ALL } } }, ALL),
      { find: '' },
      ...Array.from({ length: PAGES }, (_, index) => page(index)),
      { servers: ALL },
      { watch: '' },
      gets('/changes', { stream: [whole(ALL, 'first')] }, { accept: 'stream' }),
      { servers: ALL },
      ...tells({ changes: { ids: [], removed: ALL.slice(5000), tag: 'second' } }, ALL.slice(0, 5000)),
      ...tells(
        { changes: { ids: ALL.slice(2500, 7500), tag: 'third', each: { name: 'Oslo' } } },
        ALL.slice(0, 7500),
        { called: { 'server 2499': 'Frankfurt 2500', 'server 2500': 'Oslo' } },
      ),
    ],
  },
  'endless-answers': {
    needs: ['list', 'watch', 'stream'],
    rule: 'An answer and an event that are too large are given up, and what is known stays.',
    proves: ['docs/write-a-client.md', 'An answer or event is read up to 64 MiB'],
    timeoutMs: 15_000,
    acts: [
      { list: true },
      gets('/', { bytes: MORE_THAN_IS_READ }),
      { failed: /[a-z]{2}/i },
      ...follows([whole(['A'], '1')], ['A']),
      { send: [{ raw: `event: changes\ndata: ${'x'.repeat(MORE_THAN_IS_READ)}` }] },
      asksAfter(FIRST, '1', { stream: [changesEvent(['B'], '2')] }),
      { servers: ['A', 'B'] },
    ],
  },
});
