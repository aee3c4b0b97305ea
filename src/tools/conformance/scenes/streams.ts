/** A watch that is given a stream. */

import type { Act, ChangesEvent } from '../scene.ts';
import {
  FIRST,
  POLLED,
  asks,
  asksAfter,
  changesEvent,
  follows,
  gets,
  reconnects,
  tells,
  theme,
  watches,
  whole,
} from './acts.ts';

const cut = (upTo: 'id' | 'half' | 'end', how: 'well' | 'cut' | 'reset', at: string): readonly Act[] => [
  { send: [{ changes: { ids: ['lost'], removed: ['A'], tag: 'lost' }, upTo }] },
  { end: how },
  gets('/changes', { stream: [{ bookmark: at }] }, { after: FIRST, at }),
];

const KNOWN = ['B', 'C', 'D', 'E', 'F'];

/** A server comes, in this form and behind these lines. */
const comes = (name: string, raw: string, form: Partial<ChangesEvent>, packets?: number): readonly Act[] => {
  const called = `東京 \u{1f3ae} ${name}`;
  return [
    {
      send: [{ raw }, { changes: { ids: [name], tag: name, each: { name: called } }, ...form }],
      ...(packets !== undefined && { packets }),
    },
    { servers: KNOWN.slice(0, KNOWN.indexOf(name) + 1), called: { [name]: called } },
  ];
};

export const STREAMS = theme(['watch', 'stream'], {
  'changes-of-a-stream': {
    rule: 'A watch tells the whole list, then each change of it: servers that come, change and leave, and one that never was.',
    proves: ['docs/find.md', 'After each answer a client has exactly the list of its `tag`'],
    short: true,
    acts: [
      { watch: 'region=eu' },
      asks('none', { stream: [{ retry: 2000 }, whole(['A', 'B'], '1')] }, { accept: 'stream' }),
      { servers: ['A', 'B'] },
      ...tells(changesEvent(['C'], '2'), ['A', 'B', 'C']),
      ...tells({ changes: { ids: ['B'], tag: '3', each: { name: 'Oslo' } } }, ['A', 'B', 'C'], {
        called: { A: 'Frankfurt 1', B: 'Oslo' },
      }),
      ...tells({ changes: { ids: ['D'], removed: ['A', 'never was'], tag: '4' } }, ['B', 'C', 'D']),
      ...tells({ changes: { ids: [], removed: ['B', 'C', 'D'], tag: '5' } }, []),
      ...tells(changesEvent(['A'], '6'), ['A']),
    ],
  },
  'full-replaces': {
    rule: 'A full answer replaces all that was known: in the middle of a stream, and after a tag that was too old.',
    proves: ['docs/find.md', 'Where `full` is true, forget all servers'],
    acts: [
      ...watches(['A', 'B']),
      ...tells(whole(['B', 'C'], '2'), ['B', 'C']),
      ...reconnects('well', '2', { stream: [whole(['D'], '3')] }),
      { servers: ['D'] },
      ...tells({ changes: { ids: ['A'], removed: ['D'], tag: '4' } }, ['A']),
      ...reconnects('well', '4', { servers: { ids: [], full: true, tag: '5' } }),
      { servers: [] },
    ],
  },
  'cut-streams': {
    rule: 'A stream that ends in the middle of an event goes on, at another replica, from the last event that was whole.',
    proves: ['docs/write-a-client.md', 'An event that was cut counts for nothing'],
    acts: [
      ...watches(['A'], 'map=de_*'),
      ...cut('half', 'cut', '1'),
      ...cut('id', 'cut', '1'),
      ...cut('end', 'well', '1'),
      ...cut('half', 'reset', '1'),
      ...tells({ changes: { ids: ['B'], removed: ['A'], tag: '2' } }, ['B']),
      ...cut('half', 'cut', '2'),
      ...tells(changesEvent(['C'], '3'), ['B', 'C']),
    ],
  },
  bookmarks: {
    rule: 'An id without data moves the tag on, and shows that the stream is alive.',
    proves: ['docs/write-a-client.md', 'A bare `id` moves the tag on'],
    timeoutMs: 3000,
    acts: [
      ...watches(['A']),
      { nothing: 1700 },
      { send: [{ bookmark: '2' }] },
      { nothing: 1700 },
      { send: [{ bookmark: '3' }] },
      { nothing: 1700 },
      { send: [{ bookmark: '4' }] },
      ...reconnects('well', '4', { stream: [{ bookmark: '5' }] }),
      ...reconnects('cut', '5', { stream: [{ bookmark: '5' }] }),
      ...tells(changesEvent(['B'], '6'), ['A', 'B']),
    ],
  },
  'forms-of-events': {
    rule: 'Events are read in every form that they may have, and those that it does not know are ignored.',
    proves: ['docs/write-a-client.md', 'Unknown events are ignored'],
    acts: [
      ...follows([{ raw: ':\n\n' }, whole([], 'A')], []),
      ...comes('B', ': a comment\n\nevent: weather\ndata: fine\n\n', { lineEnd: '\r\n' }),
      ...comes('C', 'event: weather\r\rdata: {"servers":7}\r\r', { lineEnd: '\r' }),
      ...comes('D', 'retry: soon\nmood: good\nmood\n\ndata\n\n', { form: 'lines' }, 7),
      ...comes('E', '\n\n\n:\n', { form: 'lines', lineEnd: '\r\n' }, 1),
      ...comes('F', '', { form: 'tight' }),
      {
        send: [
          {
            changes: {
              ids: ['F'],
              removed: ['B'],
              tag: 'G',
              each: { name: 'Oslo', mood: { is: [1, null] } },
              also: { status: 'success', weather: 'fine' },
            },
          },
        ],
      },
      { servers: ['C', 'D', 'E', 'F'], called: { F: 'Oslo' } },
      ...reconnects('well', 'G', { stream: [{ bookmark: 'G' }] }),
    ],
  },
  'silent-stream': {
    rule: 'A stream that has fallen silent is dead: the client connects again, and goes on where it was.',
    proves: ['docs/write-a-client.md', 'that is silent for 5 s is dead'],
    timeoutMs: 3000,
    acts: [
      ...watches(['A']),
      asksAfter([0, 1000], '1', { stream: [{ bookmark: '2' }] }, 'stream'),
      asksAfter(
        [0, 1000],
        '2',
        { stream: [{ changes: { ids: ['B'], removed: ['A'], tag: '3' } }] },
        'stream',
      ),
      { servers: ['B'] },
    ],
  },
  'stale-watch': {
    rule: 'A watch tells when the list of the service is stale, and when it is current again: by events, and by polls.',
    proves: ['docs/find.md', '**An event `state`** says that the list has ceased to be current'],
    acts: [
      ...follows([{ stale: true }, whole(['A'], '1')], ['A'], { stale: true }),
      ...tells({ stale: false }, ['A']),
      ...tells(changesEvent(['B'], '2'), ['A', 'B']),
      ...tells({ stale: true }, ['A', 'B'], { stale: true }),
      ...reconnects('cut', '2', { stream: [{ stale: true }] }),
      ...tells(changesEvent(['C'], '3'), ['A', 'B', 'C'], { stale: true }),
      ...reconnects('well', '3', { stream: [{ bookmark: '4' }] }),
      { servers: ['A', 'B', 'C'] },
      ...reconnects('well', '4', { servers: { ids: [], tag: '4', staleFor: 2 } }),
      { servers: ['A', 'B', 'C'], stale: true },
      asksAfter(POLLED, '4', { servers: { ids: [], tag: '4', staleFor: 4 } }),
      asksAfter(POLLED, '4', { servers: { ids: [], tag: '5' } }),
      { servers: ['A', 'B', 'C'] },
    ],
  },
  'retry-of-a-stream': {
    rule: 'When a stream ends, the client connects again after the retry that it told, from 0.1 to 30 s.',
    proves: ['docs/write-a-client.md', 'after `retry` (0.1 to 30 s)'],
    acts: [
      ...follows([{ retry: 7000 }, whole(['A'], '1')], ['A']),
      { end: 'well' },
      asksAfter([7000, 7000], '1', { stream: [{ bookmark: '1' }, { retry: 0 }] }),
      { end: 'well' },
      asksAfter([100, 100], '1', { stream: [{ bookmark: '1' }, { retry: 86_400_000 }] }),
      { end: 'cut' },
      asksAfter([30_000, 30_000], '1', { stream: [{ bookmark: '1' }] }),
      ...reconnects('well', '1', { stream: [{ bookmark: '1' }] }),
    ],
  },
});
