import type { Scene } from '../../scene.ts';

export const retryAfterForYears: Scene = {
  name: 'retry-after-for-years',
  needs: ['announce'],
  rule: 'No Retry-After keeps a game server away for longer than an hour.',
  proves: ['docs/write-a-client.md', 'an hour at most'],
  acts: [
    { start: {} },
    { request: 'broadcast', answer: { refuse: 'overloaded', retryAfter: 999_999_999 } },
    {
      request: 'broadcast',
      after: [20_000, 3_600_000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
