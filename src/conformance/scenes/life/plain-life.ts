import type { Scene } from '../../scene.ts';

export const plainLife: Scene = {
  name: 'plain-life',
  needs: ['announce'],
  rule: 'A game server broadcasts once, pings at the interval, and sends a remove when it stops.',
  proves: ['docs/game-servers.md', 'Broadcast once, at the start'],
  short: true,
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 1 } },
    },
    { request: 'ping', after: [0, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    {
      repeat: 3,
      acts: [{ request: 'ping', after: [900, 1100], token: 'A', id: 'A', answer: { accept: {} } }],
    },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
