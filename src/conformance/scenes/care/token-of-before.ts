import type { Scene } from '../../scene.ts';

export const tokenOfBefore: Scene = {
  name: 'token-of-before',
  needs: ['announce', 'token_file'],
  rule: 'A token file of before keeps the id.',
  proves: ['docs/game-servers.md', 'A game server that broadcasts with its token keeps its id'],
  acts: [
    { start: { tokenFile: { token: 'A' } } },
    {
      request: 'broadcast',
      token: 'A',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { tokenFile: 'A' },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
