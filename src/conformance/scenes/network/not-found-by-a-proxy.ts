import type { Scene } from '../../scene.ts';

export const notFoundByAProxy: Scene = {
  name: 'not-found-by-a-proxy',
  needs: ['announce'],
  rule: 'A 404 of a proxy is not the 404 of GSLS: the entry is not gone.',
  proves: ['docs/write-a-client.md', 'an answer that is none of GSLS'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { status: 404 } },
    { request: 'broadcast', after: [500, 1000], token: 'claim', key: 'same', answer: { status: 404 } },
    { request: 'broadcast', after: [1000, 2000], token: 'claim', key: 'same', answer: { status: 404 } },
    {
      request: 'broadcast',
      after: [2000, 4000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { status: 404 } },
    { request: 'ping', after: [500, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
