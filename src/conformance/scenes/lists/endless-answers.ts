import type { Scene } from '../../scene.ts';

const MORE_THAN_IS_READ = 65 * 2 ** 20;

export const endlessAnswers: Scene = {
  name: 'endless-answers',
  needs: ['list', 'watch', 'stream'],
  rule: 'An answer and an event that are too large are given up, and what is known stays.',
  proves: ['docs/write-a-client.md', 'An answer, or an event, is read up to 64 MiB'],
  timeoutMs: 15_000,
  acts: [
    { list: true },
    { get: '/', answer: { bytes: MORE_THAN_IS_READ } },
    { failed: /[a-z]{2}/i },
    { watch: '' },
    { get: '/changes', answer: { stream: [{ changes: { ids: ['A'], full: true, tag: '1' } }] } },
    { servers: ['A'] },
    { send: [{ raw: `event: changes\ndata: ${'x'.repeat(MORE_THAN_IS_READ)}` }] },
    {
      get: '/changes',
      after: [500, 1000],
      at: '1',
      answer: { stream: [{ changes: { ids: ['B'], tag: '2' } }] },
    },
    { servers: ['A', 'B'] },
    { stop: {} },
  ],
};
