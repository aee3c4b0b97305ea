import type { Act, Scene } from '../../scene.ts';

const cut = (upTo: 'id' | 'half' | 'end', how: 'well' | 'cut' | 'reset', at: string): readonly Act[] => [
  { send: [{ changes: { ids: ['lost'], removed: ['A'], tag: 'lost' }, upTo }] },
  { end: how },
  { get: '/changes', after: [500, 1000], at, answer: { stream: [{ bookmark: at }] } },
];

export const cutStreams: Scene = {
  name: 'cut-streams',
  needs: ['watch', 'stream'],
  rule: 'A stream that ends in the middle of an event goes on, at another replica, from the last event that was whole.',
  proves: ['docs/write-a-client.md', 'An event that was cut counts for nothing'],
  acts: [
    { watch: 'map=de_*' },
    {
      get: '/changes',
      at: 'none',
      answer: { stream: [{ changes: { ids: ['A'], full: true, tag: '1' } }] },
    },
    { servers: ['A'] },
    ...cut('half', 'cut', '1'),
    ...cut('id', 'cut', '1'),
    ...cut('end', 'well', '1'),
    ...cut('half', 'reset', '1'),
    { send: [{ changes: { ids: ['B'], removed: ['A'], tag: '2' } }] },
    { servers: ['B'] },
    ...cut('half', 'cut', '2'),
    { send: [{ changes: { ids: ['C'], tag: '3' } }] },
    { servers: ['B', 'C'] },
    { stop: {} },
  ],
};
