import type { Scene } from '../../scene.ts';

export const movingPages: Scene = {
  name: 'moving-pages',
  needs: ['find'],
  rule: 'All pages are read with the same query. A server that moves from one to another is told once, as it was last.',
  proves: ['docs/write-a-client.md', 'A server that shows up twice is taken once, as it was seen last'],
  short: true,
  acts: [
    { find: 'region=eu&sort=-players' },
    { get: '/servers', answer: { servers: { ids: ['A', 'B', 'C'], next: 'second' } } },
    {
      get: '/servers',
      cursor: 'second',
      answer: { servers: { ids: ['B', 'D'], next: 'third', each: { name: 'Oslo' } } },
    },
    { get: '/servers', cursor: 'third', answer: { servers: { ids: [], next: 'fourth' } } },
    { get: '/servers', cursor: 'fourth', answer: { servers: { ids: ['E'], next: null } } },
    {
      servers: ['A', 'B', 'C', 'D', 'E'],
      called: { A: 'Frankfurt 1', B: 'Oslo', C: 'Frankfurt 3', D: 'Oslo', E: 'Frankfurt 1' },
    },
    { find: 'region=none' },
    { get: '/servers', answer: { servers: { ids: [], next: null } } },
    { servers: [] },
  ],
};
