import type { Scene } from '../../scene.ts';

export const spreadOfPings: Scene = {
  name: 'spread-of-pings',
  needs: ['announce'],
  rule: 'Pings come at the interval, give or take 10 % at random.',
  proves: ['docs/write-a-client.md', 'after a ping in 0.9 to 1.1 intervals'],
  acts: [{ spread: { of: 'pings', times: 100, between: [18_000, 22_000] } }],
};
