import type { Scene } from '../../scene.ts';

export const polls: Scene = {
  name: 'polls',
  needs: ['watch'],
  rule: 'Where no stream is given, a watch polls every 2 s: the whole list, then the changes.',
  proves: ['docs/write-a-client.md', 'It takes an answer of JSON in place of a stream, then polls every 2 s'],
  acts: [
    { watch: 'region=eu' },
    { get: '/changes', at: 'none', answer: { servers: { ids: ['A', 'B'], full: true, tag: '1' } } },
    { servers: ['A', 'B'] },
    {
      get: '/changes',
      after: [1800, 2200],
      at: '1',
      accept: 'json',
      answer: { servers: { ids: ['B'], removed: ['A', 'never was'], tag: '2', each: { name: 'Oslo' } } },
    },
    { servers: ['B'], called: { B: 'Oslo' } },
    {
      repeat: 10,
      acts: [
        {
          get: '/changes',
          after: [1800, 2200],
          at: '2',
          accept: 'json',
          answer: { servers: { ids: [], tag: '2' } },
        },
      ],
    },
    {
      get: '/changes',
      after: [1800, 2200],
      at: '2',
      accept: 'json',
      answer: { servers: { ids: ['C'], full: true, tag: '3' } },
    },
    { servers: ['C'] },
    { stop: {} },
  ],
};
