import type { Act, AnswerScript, Scene, Span } from '../../scene.ts';

const tries = (spans: readonly Span[], answer: AnswerScript): readonly Act[] =>
  spans.map((after) => ({ get: '/changes', after, at: '1', answer }));

export const backOffOfAWatch: Scene = {
  name: 'back-off-of-a-watch',
  needs: ['watch', 'stream'],
  rule: 'After failures the pauses grow up to 30 s, and what is known stays. One success, and they begin anew.',
  proves: [
    'docs/write-a-client.md',
    'after 1 s, 2 s, 4 s and so on up to 30 s, each shortened at random by up to a half',
  ],
  acts: [
    { watch: '' },
    { get: '/changes', at: 'none', answer: { refuse: 'registry_unavailable' } },
    { get: '/changes', after: [500, 1000], at: 'none', answer: { status: 502 } },
    {
      get: '/changes',
      after: [1000, 2000],
      at: 'none',
      answer: { stream: [{ changes: { ids: ['A'], full: true, tag: '1' } }] },
    },
    { servers: ['A'] },
    { end: 'well' },
    { get: '/changes', after: [500, 1000], at: '1', answer: { refuse: 'registry_unavailable' } },
    ...tries([[500, 1000]], { reset: 'within' }),
    ...tries([[1000, 2000]], { status: 502 }),
    ...tries([[2000, 4000]], { stream: [] }),
    { end: 'well' },
    ...tries([[4000, 8000]], { servers: { ids: ['B'], tag: '2', cut: true } }),
    ...tries([[8000, 16_000]], { status: 200 }),
    ...tries([[15_000, 30_000]], { status: 302, headers: { Location: '/elsewhere' } }),
    ...tries([[15_000, 30_000]], { refuse: 'rate_limited', retryAfter: 45 }),
    ...tries([[45_000, 46_000]], { refuse: 'internal_error' }),
    ...tries([[15_000, 30_000]], { stream: [{ changes: { ids: ['B'], tag: '1' } }] }),
    { servers: ['A', 'B'] },
    { end: 'well' },
    ...tries([[500, 1000]], { refuse: 'shutting_down', retryAfter: 3 }),
    ...tries([[3000, 4000]], { refuse: 'shutting_down', retryAfter: 0 }),
    ...tries([[1000, 2000]], { stream: [{ bookmark: '1' }] }),
    { stop: {} },
  ],
};
