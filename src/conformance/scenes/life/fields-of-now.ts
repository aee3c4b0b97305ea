import type { Scene } from '../../scene.ts';

export const fieldsOfNow: Scene = {
  name: 'fields-of-now',
  needs: ['announce'],
  rule: 'Each ping tells the fields of now, and an update sends nothing by itself.',
  proves: ['docs/game-servers.md', 'Each ping carries the current fields'],
  acts: [
    {
      start: { fields: { map: 'de_dust2', tags: ['friendly'], meta: { language: ['en', 'de'], rounds: 3 } } },
    },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      body: {
        players: 3,
        max_players: 16,
        server_ip: 'auto',
        map: 'de_dust2',
        tags: ['friendly'],
        meta: { language: ['en', 'de'], rounds: 3 },
      },
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { players: 5 },
    {
      request: 'ping',
      after: [0, 20_000],
      token: 'A',
      id: 'A',
      body: { players: 5, server_name: 'Frankfurt 1' },
      answer: { accept: {} },
    },
    { players: 6 },
    { players: 7 },
    {
      request: 'ping',
      after: [18_000, 22_000],
      token: 'A',
      id: 'A',
      body: { players: 7 },
      answer: { accept: {} },
    },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
