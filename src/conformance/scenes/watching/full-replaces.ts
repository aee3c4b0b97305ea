import type { Scene } from '../../scene.ts';

export const fullReplaces: Scene = {
  name: 'full-replaces',
  needs: ['watch', 'stream'],
  rule: 'A full answer replaces all that was known: in the middle of a stream, and after a tag that was too old.',
  proves: ['docs/find.md', 'Where `full` is true, forget all servers'],
  acts: [
    { watch: '' },
    {
      get: '/changes',
      at: 'none',
      answer: { stream: [{ changes: { ids: ['A', 'B'], full: true, tag: '1' } }] },
    },
    { servers: ['A', 'B'] },
    { send: [{ changes: { ids: ['B', 'C'], full: true, tag: '2' } }] },
    { servers: ['B', 'C'] },
    { end: 'well' },
    {
      get: '/changes',
      after: [500, 1000],
      at: '2',
      answer: { stream: [{ changes: { ids: ['D'], full: true, tag: '3' } }] },
    },
    { servers: ['D'] },
    { send: [{ changes: { ids: ['A'], removed: ['D'], tag: '4' } }] },
    { servers: ['A'] },
    { end: 'well' },
    {
      get: '/changes',
      after: [500, 1000],
      at: '4',
      answer: { servers: { ids: [], full: true, tag: '5' } },
    },
    { servers: [] },
    { stop: {} },
  ],
};
