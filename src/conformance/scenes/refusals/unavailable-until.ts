import type { Scene } from '../../scene.ts';

export const unavailableUntil: Scene = {
  name: 'unavailable-until',
  needs: ['announce'],
  rule: 'After 503 the same request comes again, not before the date in Retry-After.',
  proves: ['docs/write-a-client.md', 'count from the `Date` of the same answer'],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { refuse: 'registry_unavailable', retryAfter: { dateIn: 9 } },
    },
    {
      request: 'broadcast',
      after: [8000, 10_000],
      token: 'claim',
      key: 'same',
      answer: { refuse: 'registry_unavailable', retryAfter: { dateIn: 9 } },
    },
    {
      request: 'broadcast',
      after: [8000, 10_000],
      token: 'claim',
      key: 'same',
      answer: { refuse: 'registry_unavailable', retryAfter: { dateIn: 9 } },
    },
    {
      request: 'broadcast',
      after: [8000, 10_000],
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
      answer: { refuse: 'registry_unavailable', retryAfter: { dateIn: 9 } },
    },
    { request: 'ping', after: [8000, 10_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
