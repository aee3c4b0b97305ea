import type { Scene } from '../../scene.ts';

export const unknownServer: Scene = {
  name: 'unknown-server',
  needs: ['announce'],
  rule: 'An entry that is gone is broadcast again within one interval, with the token and a fresh key. Id and token of the answer are new.',
  proves: ['docs/game-servers.md', '| 404 `unknown_server` '],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { refuse: 'unknown_server' } },
    {
      request: 'broadcast',
      after: [0, 20_000],
      token: 'A',
      key: 'fresh',
      answer: { accept: { id: 'B', token: 'B', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'B', id: 'B', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'B', id: 'B', answer: { accept: {} } },
    { stop: { remove: { id: 'B', token: 'B', answer: { accept: {} } } } },
  ],
};
