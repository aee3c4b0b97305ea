import type { Scene } from '../../scene.ts';

export const tokenFile: Scene = {
  name: 'token-file',
  needs: ['announce', 'token_file'],
  rule: 'The token is kept in a file of its own user, and a game server that starts again broadcasts with it.',
  proves: ['docs/game-servers.md', 'Keep the id across restarts'],
  acts: [
    { start: { tokenFile: 'none' } },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { tokenFile: 'A' },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: { token: 'B' } } },
    { request: 'ping', after: [18_000, 22_000], token: 'B', id: 'A', answer: { accept: {} } },
    { tokenFile: 'B' },
    { stop: { remove: { id: 'A', token: 'B', answer: { accept: {} } } } },
  ],
};
