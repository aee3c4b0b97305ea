import type { Scene } from '../../scene.ts';

export const spreadOfWatches: Scene = {
  name: 'spread-of-watches',
  needs: ['watch'],
  rule: 'Watches that failed together do not come back together.',
  proves: [
    'docs/write-a-client.md',
    'each shortened at random by up to a half; and never before `Retry-After`',
  ],
  acts: [{ spread: { of: 'pauses of a watch', times: 100, between: [500, 1000] } }],
};
