import type { Scene } from '../../scene.ts';

export const staleList: Scene = {
  name: 'stale-list',
  needs: ['list'],
  rule: 'A list with Warning 110 is told as stale, also by a 304, and as current once it is so again.',
  proves: ['docs/write-a-client.md', 'An answer with `Warning: 110` is stale since its `Age`'],
  acts: [
    { list: true },
    { get: '/', answer: { servers: { ids: ['A', 'B'], etag: 'current' } } },
    { servers: ['A', 'B'] },
    { list: true },
    { get: '/', at: 'current', answer: { servers: { ids: ['A', 'B'], etag: 'stale', staleFor: 3 } } },
    { servers: ['A', 'B'], stale: true },
    { list: true },
    { get: '/', at: 'stale', answer: { unchanged: true, staleFor: 9 } },
    { servers: ['A', 'B'], stale: true },
    { list: true },
    { get: '/', at: 'stale', answer: { servers: { ids: ['A', 'B'], etag: 'current' } } },
    { servers: ['A', 'B'] },
  ],
};
