import type { Scene } from '../../scene.ts';

export const bookmarks: Scene = {
  name: 'bookmarks',
  needs: ['watch', 'stream'],
  rule: 'An id without data moves the tag on, and shows that the stream is alive.',
  proves: ['docs/write-a-client.md', 'A bare `id` moves the tag on'],
  timeoutMs: 3000,
  acts: [
    { watch: '' },
    {
      get: '/changes',
      at: 'none',
      answer: { stream: [{ changes: { ids: ['A'], full: true, tag: '1' } }] },
    },
    { servers: ['A'] },
    { nothing: 1700 },
    { send: [{ bookmark: '2' }] },
    { nothing: 1700 },
    { send: [{ bookmark: '3' }] },
    { nothing: 1700 },
    { send: [{ bookmark: '4' }] },
    { end: 'well' },
    { get: '/changes', after: [500, 1000], at: '4', answer: { stream: [{ bookmark: '5' }] } },
    { end: 'cut' },
    { get: '/changes', after: [500, 1000], at: '5', answer: { stream: [{ bookmark: '5' }] } },
    { send: [{ changes: { ids: ['B'], tag: '6' } }] },
    { servers: ['A', 'B'] },
    { stop: {} },
  ],
};
