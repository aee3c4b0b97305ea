import type { Scene } from '../../scene.ts';

export const spreadOfFirstPings: Scene = {
  name: 'spread-of-first-pings',
  needs: ['announce'],
  rule: 'Game servers that start together do not ping together.',
  proves: ['docs/write-a-client.md', 'comes after a broadcast at a random time within one interval'],
  acts: [{ spread: { of: 'first pings', times: 100, between: [0, 20_000] } }],
};
