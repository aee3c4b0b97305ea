import type { Scene } from '../../scene.ts';

export const tenMegabytes: Scene = {
  name: 'ten-megabytes',
  needs: ['announce'],
  rule: 'An answer of ten megabytes is not read to its end.',
  proves: ['docs/write-a-client.md', 'An answer is read up to 1 MiB'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { bytes: 10_000_000 } },
    {
      request: 'broadcast',
      after: [500, 1000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { bytes: 10_000_000 } },
    { request: 'ping', after: [500, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
