import type { Scene } from '../../scene.ts';

export const streamAfterPolls: Scene = {
  name: 'stream-after-polls',
  needs: ['watch', 'stream'],
  rule: 'After 60 s of polls a stream is tried again; also where there were too many streams.',
  proves: ['docs/write-a-client.md', 'and tries a stream again after 60 s'],
  acts: [
    { watch: '' },
    {
      get: '/changes',
      at: 'none',
      accept: 'stream',
      answer: { servers: { ids: ['A'], full: true, tag: '1' } },
    },
    { servers: ['A'] },
    { polls: { at: '1', until: [60_000, 62_200], answer: { servers: { ids: [], tag: '1' } } } },
    { get: '/changes', at: '1', accept: 'stream', answer: { refuse: 'too_many_streams', retryAfter: 30 } },
    {
      get: '/changes',
      after: [0, 2200],
      at: '1',
      accept: 'json',
      answer: { servers: { ids: ['B'], removed: ['A'], tag: '2' } },
    },
    { servers: ['B'] },
    { polls: { at: '2', until: [57_800, 62_200], answer: { servers: { ids: [], tag: '2' } } } },
    {
      get: '/changes',
      at: '2',
      accept: 'stream',
      answer: { stream: [{ changes: { ids: ['C'], tag: '3' } }] },
    },
    { servers: ['B', 'C'] },
    { end: 'well' },
    {
      get: '/changes',
      after: [500, 1000],
      at: '3',
      accept: 'stream',
      answer: { stream: [{ bookmark: '3' }] },
    },
    { stop: {} },
  ],
};
