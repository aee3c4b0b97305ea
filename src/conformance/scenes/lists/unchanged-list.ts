import type { Scene } from '../../scene.ts';

export const unchangedList: Scene = {
  name: 'unchanged-list',
  needs: ['list'],
  rule: 'The ETag of the result before goes as If-None-Match, and a 304 is the same servers once more.',
  proves: ['docs/write-a-client.md', 'sends the `ETag` of `previous` as `If-None-Match`'],
  short: true,
  acts: [
    { list: true },
    { get: '/', at: 'none', answer: { servers: { ids: ['A', 'B'], etag: 'first' } } },
    { servers: ['A', 'B'] },
    { list: true },
    { get: '/', at: 'first', answer: { unchanged: true } },
    { servers: ['A', 'B'] },
    { list: true },
    { get: '/', at: 'first', answer: { servers: { ids: ['B', 'C'], etag: 'second' } } },
    { servers: ['B', 'C'] },
    { list: true },
    { get: '/', at: 'second', answer: { unchanged: true } },
    { servers: ['B', 'C'] },
  ],
};
