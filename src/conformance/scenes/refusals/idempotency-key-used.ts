import type { Scene } from '../../scene.ts';

export const idempotencyKeyUsed: Scene = {
  name: 'idempotency-key-used',
  needs: ['announce'],
  rule: 'A broadcast whose entry has left the list is sent again under a fresh key.',
  proves: ['docs/game-servers.md', '| 409 `idempotency_key_used` '],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { refuse: 'idempotency_key_used' } },
    {
      request: 'broadcast',
      after: [0, 20_000],
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
