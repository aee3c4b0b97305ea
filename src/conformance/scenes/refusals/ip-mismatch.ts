import type { Scene } from '../../scene.ts';

export const ipMismatch: Scene = {
  name: 'ip-mismatch',
  needs: ['announce'],
  rule: 'A game server whose address has changed broadcasts again with its token, which keeps the id.',
  proves: ['docs/game-servers.md', '| 403 `ip_mismatch` '],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { refuse: 'ip_mismatch' } },
    {
      request: 'broadcast',
      after: [0, 20_000],
      token: 'A',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
