import type { Scene } from '../../scene.ts';

export const refusedConnection: Scene = {
  name: 'refused-connection',
  needs: ['announce'],
  rule: 'A service that is away is tried with growing pauses, up to the interval.',
  proves: ['docs/write-a-client.md', 'after 1 s, 2 s, 4 s and so on up to the interval'],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    {
      down: [
        [500, 1000],
        [1000, 2000],
        [2000, 4000],
        [4000, 8000],
        [8000, 16_000],
        [10_000, 20_000],
        [10_000, 20_000],
      ],
    },
    { request: 'ping', after: [0, 0], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
