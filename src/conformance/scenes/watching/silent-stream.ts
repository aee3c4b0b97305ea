import type { Scene } from '../../scene.ts';

export const silentStream: Scene = {
  name: 'silent-stream',
  needs: ['watch', 'stream'],
  rule: 'A stream that has fallen silent is dead: the client connects again, and goes on where it was.',
  proves: ['docs/write-a-client.md', 'that is silent for 5 s is dead'],
  timeoutMs: 3000,
  acts: [
    { watch: '' },
    {
      get: '/changes',
      at: 'none',
      answer: { stream: [{ changes: { ids: ['A'], full: true, tag: '1' } }] },
    },
    { servers: ['A'] },
    { get: '/changes', after: [0, 1000], at: '1', accept: 'stream', answer: { stream: [{ bookmark: '2' }] } },
    {
      get: '/changes',
      after: [0, 1000],
      at: '2',
      accept: 'stream',
      answer: { stream: [{ changes: { ids: ['B'], removed: ['A'], tag: '3' } }] },
    },
    { servers: ['B'] },
    { stop: {} },
  ],
};
