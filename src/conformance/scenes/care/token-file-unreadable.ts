import type { Scene } from '../../scene.ts';

export const tokenFileUnreadable: Scene = {
  name: 'token-file-unreadable',
  needs: ['announce', 'token_file'],
  rule: 'A token file that can be neither read nor written is told, and does no more harm.',
  proves: ['docs/write-a-client.md', 'A file that cannot be written is told'],
  acts: [
    { start: { tokenFile: 'folder' } },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
