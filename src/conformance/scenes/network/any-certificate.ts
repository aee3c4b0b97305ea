import type { Scene } from '../../scene.ts';

export const anyCertificate: Scene = {
  name: 'any-certificate',
  needs: ['announce', 'tls', 'insecure'],
  rule: 'An option takes any certificate, for a test at home.',
  proves: ['docs/write-a-client.md', 'takes any certificate'],
  listens: 'https',
  acts: [
    { start: { insecure: true } },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
