import type { Scene } from '../../scene.ts';

export const spreadOfPauses: Scene = {
  name: 'spread-of-pauses',
  needs: ['announce'],
  rule: 'Game servers that failed together do not come back together.',
  proves: ['docs/write-a-client.md', 'each shortened at random by up to a half'],
  acts: [{ spread: { of: 'pauses', times: 100, between: [500, 1000] } }],
};
