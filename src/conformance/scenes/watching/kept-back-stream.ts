import type { Scene } from '../../scene.ts';

export const keptBackStream: Scene = {
  name: 'kept-back-stream',
  needs: ['watch', 'stream'],
  rule: 'Where something between keeps a stream back, so that no event comes, the client polls.',
  proves: ['docs/write-a-client.md', 'One without an event for 10 s at its start'],
  timeoutMs: 3000,
  acts: [
    { watch: '' },
    { get: '/changes', at: 'none', accept: 'stream', answer: { stream: [] } },
    {
      get: '/changes',
      after: [0, 2200],
      at: 'none',
      accept: 'json',
      answer: { servers: { ids: ['A'], full: true, tag: '1' } },
    },
    { servers: ['A'] },
    { polls: { at: '1', until: [57_800, 62_200], answer: { servers: { ids: [], tag: '1' } } } },
    {
      get: '/changes',
      at: '1',
      accept: 'stream',
      answer: { stream: [{ raw: ': a comment is no event\n\n' }] },
    },
    {
      get: '/changes',
      after: [0, 2200],
      at: '1',
      accept: 'json',
      answer: { servers: { ids: ['B'], tag: '2' } },
    },
    { servers: ['A', 'B'] },
    { stop: {} },
  ],
};
