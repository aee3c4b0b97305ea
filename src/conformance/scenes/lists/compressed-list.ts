import type { Scene } from '../../scene.ts';

export const compressedList: Scene = {
  name: 'compressed-list',
  needs: ['list', 'gzip'],
  rule: 'The list is asked for in gzip, and understood plain or in gzip.',
  proves: ['docs/write-a-client.md', 'It takes gzip where the platform can'],
  acts: [
    { list: true },
    { get: '/', accept: 'gzip', answer: { servers: { ids: ['A', 'B'], etag: 'first', gzip: true } } },
    { servers: ['A', 'B'], called: { B: 'Frankfurt 2' } },
    { list: true },
    { get: '/', at: 'first', accept: 'gzip', answer: { unchanged: true } },
    { servers: ['A', 'B'] },
    { list: true },
    { get: '/', accept: 'gzip', answer: { servers: { ids: ['A'] } } },
    { servers: ['A'] },
    { list: true },
    {
      get: '/',
      accept: 'gzip',
      answer: {
        status: 200,
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body: '{}',
      },
    },
    { failed: /./ },
  ],
};
