import type { Scene } from '../../scene.ts';

export const tokenNeverIssued: Scene = {
  name: 'token-never-issued',
  needs: ['announce', 'token_file'],
  rule: 'A token that no service has issued is replaced by a claim, once.',
  proves: ['docs/game-servers.md', '400 `invalid_request` to a broadcast with a kept token'],
  acts: [
    { start: { tokenFile: { bytes: 'half-written' } } },
    { request: 'broadcast', key: 'fresh', answer: { refuse: 'invalid_request' } },
    {
      request: 'broadcast',
      after: [0, 20_000],
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { tokenFile: 'A' },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
