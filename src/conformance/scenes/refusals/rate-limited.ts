import type { Scene } from '../../scene.ts';

export const rateLimited: Scene = {
  name: 'rate-limited',
  needs: ['announce'],
  rule: 'After 429 the same request comes again, not before Retry-After in seconds.',
  proves: ['docs/write-a-client.md', 'never before `Retry-After`'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { refuse: 'rate_limited', retryAfter: 7 } },
    {
      request: 'broadcast',
      after: [7000, 8000],
      token: 'claim',
      key: 'same',
      answer: { refuse: 'rate_limited', retryAfter: 7 },
    },
    {
      request: 'broadcast',
      after: [7000, 8000],
      token: 'claim',
      key: 'same',
      answer: { refuse: 'rate_limited', retryAfter: 7 },
    },
    {
      request: 'broadcast',
      after: [7000, 8000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    {
      request: 'ping',
      after: [18_000, 22_000],
      token: 'A',
      id: 'A',
      answer: { refuse: 'rate_limited', retryAfter: 7 },
    },
    { request: 'ping', after: [7000, 8000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
