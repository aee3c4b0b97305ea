import type { Scene } from '../../scene.ts';

export const retryOfAStream: Scene = {
  name: 'retry-of-a-stream',
  needs: ['watch', 'stream'],
  rule: 'When a stream ends, the client connects again after the retry that it told, from 0.1 to 30 s.',
  proves: ['docs/write-a-client.md', 'after `retry` (0.1 to 30 s)'],
  acts: [
    { watch: '' },
    {
      get: '/changes',
      answer: { stream: [{ retry: 7000 }, { changes: { ids: ['A'], full: true, tag: '1' } }] },
    },
    { servers: ['A'] },
    { end: 'well' },
    { get: '/changes', after: [7000, 7000], at: '1', answer: { stream: [{ bookmark: '1' }, { retry: 0 }] } },
    { end: 'well' },
    {
      get: '/changes',
      after: [100, 100],
      at: '1',
      answer: { stream: [{ bookmark: '1' }, { retry: 86_400_000 }] },
    },
    { end: 'cut' },
    { get: '/changes', after: [30_000, 30_000], at: '1', answer: { stream: [{ bookmark: '1' }] } },
    { end: 'well' },
    { get: '/changes', after: [500, 1000], at: '1', answer: { stream: [{ bookmark: '1' }] } },
    { stop: {} },
  ],
};
