import type { Scene } from '../../scene.ts';

export const notOwner: Scene = {
  name: 'not-owner',
  needs: ['announce'],
  rule: 'A token that is refused is replaced by a claim once; if the next ping is refused too, it waits for minutes.',
  proves: ['docs/game-servers.md', '| 403 `not_owner`, `server_token_required` '],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { refuse: 'not_owner' } },
    {
      request: 'broadcast',
      after: [0, 20_000],
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'B', token: 'B', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'B', id: 'B', answer: { refuse: 'not_owner' } },
    {
      request: 'broadcast',
      after: [290_000, 310_000],
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'C', token: 'C', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'C', id: 'C', answer: { accept: {} } },
    { stop: { remove: { id: 'C', token: 'C', answer: { accept: {} } } } },
  ],
};
