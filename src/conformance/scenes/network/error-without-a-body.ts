import type { Scene } from '../../scene.ts';

export const errorWithoutABody: Scene = {
  name: 'error-without-a-body',
  needs: ['announce'],
  rule: 'A 500 without a body passes.',
  proves: ['docs/write-a-client.md', '**What passes:**'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { status: 500, body: '' } },
    {
      request: 'broadcast',
      after: [500, 1000],
      token: 'claim',
      key: 'same',
      answer: { status: 500, body: '' },
    },
    {
      request: 'broadcast',
      after: [1000, 2000],
      token: 'claim',
      key: 'same',
      answer: { status: 500, body: '' },
    },
    {
      request: 'broadcast',
      after: [2000, 4000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { status: 500, body: '' } },
    { request: 'ping', after: [500, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
