import type { Scene } from '../../scene.ts';

export const keyOfTheService: Scene = {
  name: 'key-of-the-service',
  needs: ['announce', 'key'],
  rule: 'The key goes with each request.',
  proves: ['docs/write-a-client.md', 'the key of the service, where it asks for one'],
  key: 'a key of the service: 0123456789',
  acts: [
    { start: {} },
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
