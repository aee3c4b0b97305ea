import type { Scene } from '../../scene.ts';

export const silence: Scene = {
  name: 'silence',
  needs: ['announce'],
  rule: 'A request without an answer is given up, and sent again.',
  proves: ['docs/write-a-client.md', 'What passes'],
  timeoutMs: 2500,
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { silence: true } },
    {
      request: 'broadcast',
      after: [500, 1000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { silence: true } },
    { request: 'ping', after: [500, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
