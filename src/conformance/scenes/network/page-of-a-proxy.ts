import type { Scene } from '../../scene.ts';

export const pageOfAProxy: Scene = {
  name: 'page-of-a-proxy',
  needs: ['announce'],
  rule: 'A page of HTML with status 200 is no success, and no reason for a new entry.',
  proves: ['docs/write-a-client.md', 'an answer that is none of GSLS'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { status: 200 } },
    { request: 'broadcast', after: [500, 1000], token: 'claim', key: 'same', answer: { status: 200 } },
    { request: 'broadcast', after: [1000, 2000], token: 'claim', key: 'same', answer: { status: 200 } },
    {
      request: 'broadcast',
      after: [2000, 4000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { status: 200 } },
    { request: 'ping', after: [500, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
