import type { Scene } from '../../scene.ts';

export const brokenPages: Scene = {
  name: 'broken-pages',
  needs: ['find'],
  rule: 'A page that fails makes all of it fail: a part of the servers is not told for all of them.',
  proves: ['docs/write-a-client.md', 'A page that fails makes `find` fail'],
  acts: [
    { find: '' },
    { get: '/servers', answer: { servers: { ids: ['A'], next: 'second' } } },
    { get: '/servers', cursor: 'second', answer: { status: 502 } },
    { failed: /./ },
    { find: '' },
    { get: '/servers', answer: { servers: { ids: ['A'], next: 'second' } } },
    { get: '/servers', cursor: 'second', answer: { servers: { ids: ['B'], next: null, each: { id: 7 } } } },
    { failed: /./ },
    { find: '' },
    { get: '/servers', answer: { servers: { ids: ['A'], next: 'second' } } },
    { get: '/servers', cursor: 'second', answer: { servers: { ids: ['B'], next: null, cut: true } } },
    { failed: /./ },
    { find: '' },
    { get: '/servers', answer: { servers: { ids: ['A'], next: null } } },
    { servers: ['A'] },
  ],
};
