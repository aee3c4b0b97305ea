import type { Scene } from '../../scene.ts';

export const oneConnection: Scene = {
  name: 'one-connection',
  needs: ['announce'],
  rule: 'One connection is kept open, and not one made for each ping.',
  proves: ['docs/game-servers.md', 'Keep one connection open'],
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
      repeat: 10,
      acts: [{ request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } }],
    },
    { connections: 1 },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
