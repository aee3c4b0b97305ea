import type { Scene } from '../../scene.ts';

export const changesOfAStream: Scene = {
  name: 'changes-of-a-stream',
  needs: ['watch', 'stream'],
  rule: 'A watch tells the whole list, then each change of it: servers that come, change and leave, and one that never was.',
  proves: ['docs/find.md', 'After each answer a client has exactly the list of its `tag`'],
  short: true,
  acts: [
    { watch: 'region=eu' },
    {
      get: '/changes',
      at: 'none',
      accept: 'stream',
      answer: { stream: [{ retry: 2000 }, { changes: { ids: ['A', 'B'], full: true, tag: '1' } }] },
    },
    { servers: ['A', 'B'] },
    { send: [{ changes: { ids: ['C'], tag: '2' } }] },
    { servers: ['A', 'B', 'C'] },
    { send: [{ changes: { ids: ['B'], tag: '3', each: { name: 'Oslo' } } }] },
    { servers: ['A', 'B', 'C'], called: { A: 'Frankfurt 1', B: 'Oslo' } },
    { send: [{ changes: { ids: ['D'], removed: ['A', 'never was'], tag: '4' } }] },
    { servers: ['B', 'C', 'D'] },
    { send: [{ changes: { ids: [], removed: ['B', 'C', 'D'], tag: '5' } }] },
    { servers: [] },
    { send: [{ changes: { ids: ['A'], tag: '6' } }] },
    { servers: ['A'] },
    { stop: {} },
  ],
};
