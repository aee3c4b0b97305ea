import type { Scene } from '../../scene.ts';

export const pathOfTheService: Scene = {
  name: 'path-of-the-service',
  needs: ['announce'],
  rule: 'A service behind a path is asked below this path.',
  proves: ['docs/write-a-client.md', 'A service with a path'],
  path: '/lists/eu',
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
