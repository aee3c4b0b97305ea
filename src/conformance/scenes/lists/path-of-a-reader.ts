import type { Scene } from '../../scene.ts';

export const pathOfAReader: Scene = {
  name: 'path-of-a-reader',
  needs: ['list', 'find', 'watch'],
  rule: 'A service with a path is read below its path.',
  proves: ['docs/write-a-client.md', 'A service with a path is read below it'],
  path: '/lists/eu',
  acts: [
    { list: true },
    { get: '/', answer: { servers: { ids: ['A'] } } },
    { servers: ['A'] },
    { find: '' },
    { get: '/servers', answer: { servers: { ids: ['A'], next: null } } },
    { servers: ['A'] },
    { watch: 'region=eu' },
    { get: '/changes', answer: { servers: { ids: ['A'], full: true, tag: 'first' } } },
    { servers: ['A'] },
    { stop: {} },
  ],
};
