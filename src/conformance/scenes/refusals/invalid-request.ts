import type { Scene } from '../../scene.ts';

export const invalidRequest: Scene = {
  name: 'invalid-request',
  needs: ['announce'],
  rule: 'What a person has to correct is repeated after minutes, and not before.',
  proves: ['docs/game-servers.md', '| any other 4xx'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', answer: { refuse: 'invalid_request' } },
    {
      request: 'broadcast',
      after: [290_000, 310_000],
      token: 'claim',
      key: 'same',
      answer: { refuse: 'banned' },
    },
    {
      request: 'broadcast',
      after: [290_000, 310_000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
