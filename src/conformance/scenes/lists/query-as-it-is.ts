import type { Scene } from '../../scene.ts';

const QUERY = 'map=de_*,cs%2Coffice&tags=a,b&tags=c&name!=x%26y&players=1..&q=caf%C3%A9+noir&meta.mood=50%25';

export const queryAsItIs: Scene = {
  name: 'query-as-it-is',
  needs: ['find', 'watch'],
  rule: 'The query reaches the service as it was given: a comma and %2C do not mean the same.',
  proves: ['docs/find.md', '`%2C` is a comma of the text itself'],
  acts: [
    { find: QUERY },
    { get: '/servers', answer: { servers: { ids: ['A'], next: 'second' } } },
    { get: '/servers', cursor: 'second', answer: { servers: { ids: ['B'], next: null } } },
    { servers: ['A', 'B'] },
    { watch: QUERY },
    { get: '/changes', at: 'none', answer: { servers: { ids: ['A'], full: true, tag: 'first' } } },
    { servers: ['A'] },
    { get: '/changes', at: 'first', answer: { servers: { ids: [], tag: 'first' } } },
    { stop: {} },
  ],
};
