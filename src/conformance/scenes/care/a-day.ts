import type { Scene } from '../../scene.ts';

export const aDay: Scene = {
  name: 'a-day',
  needs: ['announce'],
  rule: 'In a day of faults it is never delisted while it lives, and listed once.',
  proves: ['docs/game-servers.md', 'Nothing else is a reason for a new broadcast'],
  timeoutMs: 300,
  acts: [{ hours: 24, intervalS: 20, ttlS: 60 }],
};
