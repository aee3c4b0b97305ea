import type { Scene } from '../../scene.ts';

export const keyOfAReader: Scene = {
  name: 'key-of-a-reader',
  needs: ['list', 'find', 'watch', 'key'],
  rule: 'Where reading needs a key, each request has it.',
  proves: ['docs/find.md', 'needs the same key'],
  key: 'for-readers+/=',
  acts: [
    { list: true },
    { get: '/', answer: { servers: { ids: ['A'] } } },
    { servers: ['A'] },
    { find: '' },
    { get: '/servers', answer: { servers: { ids: ['A'], next: 'second' } } },
    { get: '/servers', cursor: 'second', answer: { servers: { ids: ['B'], next: null } } },
    { servers: ['A', 'B'] },
    { watch: '' },
    { get: '/changes', answer: { servers: { ids: ['A'], full: true, tag: 'first' } } },
    { servers: ['A'] },
    { get: '/changes', answer: { servers: { ids: [], tag: 'first' } } },
    { stop: {} },
  ],
};
