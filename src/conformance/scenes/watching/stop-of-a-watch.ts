import type { Scene } from '../../scene.ts';

export const stopOfAWatch: Scene = {
  name: 'stop-of-a-watch',
  needs: ['watch', 'stream'],
  rule: 'A stop ends a watch, and lets go of its connection: in a stream, in a pause, and in a request.',
  proves: ['docs/write-a-client.md', 'The stop of a watch'],
  timeoutMs: 10_000,
  acts: [
    { watch: '' },
    { get: '/changes', answer: { stream: [{ changes: { ids: ['A'], full: true, tag: '1' } }] } },
    { servers: ['A'] },
    { stop: {} },
    { nothing: 300 },
    { watch: '' },
    { get: '/changes', at: 'none', answer: { refuse: 'registry_unavailable' } },
    { stop: {} },
    { watch: '' },
    { get: '/changes', at: 'none', meanwhile: [{ stop: {} }], answer: { silence: true } },
    { watch: '' },
    { get: '/changes', at: 'none', answer: { refuse: 'registry_unavailable' } },
    { get: '/changes', after: [500, 1000], at: 'none', answer: { refuse: 'registry_unavailable' } },
    { get: '/changes', after: [1000, 2000], at: 'none', answer: { refuse: 'registry_unavailable' } },
    { get: '/changes', after: [2000, 4000], at: 'none', answer: { refuse: 'registry_unavailable' } },
    { stop: {} },
  ],
};
