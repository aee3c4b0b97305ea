import type { Scene } from '../../scene.ts';

export const tokenFileDamaged: Scene = {
  name: 'token-file-damaged',
  needs: ['announce', 'token_file'],
  rule: 'A token file that another program wrote is no reason to stay away: a new entry is claimed.',
  proves: ['docs/game-servers.md', 'A file that holds no token is no reason to stay away'],
  acts: [
    { start: { tokenFile: { bytes: 'half a tok\u0000\u001b[31m\nen' } } },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { tokenFile: 'A' },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
