import type { Scene } from '../../scene.ts';

export const stopBeforeItIsListed: Scene = {
  name: 'stop-before-it-is-listed',
  needs: ['announce'],
  rule: 'A stop before the first answer sends nothing.',
  proves: ['docs/write-a-client.md', 'if there is an entry'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', answer: { refuse: 'overloaded', retryAfter: 600 } },
    { stop: {} },
  ],
};
