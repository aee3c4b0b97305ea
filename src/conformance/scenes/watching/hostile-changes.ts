import type { Act, Scene, ServersScript, StreamEvent } from '../../scene.ts';

const WRONG: readonly ServersScript[] = [
  { ids: ['B'], tag: '2', each: { id: undefined } },
  { ids: ['B'], tag: '2', each: { id: { toString: 'A' } } },
  { ids: ['B'], tag: '2', each: { port: '7777' } },
  { ids: ['B'], tag: '2', each: { players: null } },
  { ids: ['B'], tag: '2', each: { registered_at: undefined } },
  { ids: ['B'], tag: '2', also: { servers: null } },
  { ids: ['B'], tag: '2', also: { removed: 'A' } },
  { ids: ['B'], tag: '2', also: { removed: [7] } },
  { ids: ['B'], tag: '2', also: { full: 1 } },
  { ids: ['B'], tag: '2', also: { tag: 2 } },
];
const BROKEN: StreamEvent = { raw: 'event: changes\ndata: {"servers":[]\n\n' };

/** A failure after as many in a row. */
const once = (event: StreamEvent, failures: number): Act => {
  const pauseMs = Math.min(30_000, 1000 * 2 ** failures);
  return { get: '/changes', after: [pauseMs / 2, pauseMs], at: '1', answer: { stream: [event] } };
};

export const hostileChanges: Scene = {
  name: 'hostile-changes',
  needs: ['watch', 'stream'],
  rule: 'Changes with a server that is none, or that are none themselves, are a failure, and what is known stays.',
  proves: ['docs/write-a-client.md', 'A server without the fields that each one has makes the answer one'],
  acts: [
    { watch: '' },
    { get: '/changes', at: 'none', answer: { stream: [{ changes: { ids: ['B'], tag: '1' } }] } },
    {
      get: '/changes',
      after: [500, 1000],
      at: 'none',
      answer: { stream: [{ changes: { ids: ['A'], full: true, tag: '1' } }] },
    },
    { servers: ['A'] },
    { send: [BROKEN] },
    ...[BROKEN, ...WRONG.map((changes): StreamEvent => ({ changes }))].map(once),
    {
      get: '/changes',
      after: [15_000, 30_000],
      at: '1',
      answer: { stream: [{ changes: { ids: ['C'], tag: '2' } }] },
    },
    { servers: ['A', 'C'] },
    { stop: {} },
  ],
};
