import type { Scene } from '../../scene.ts';

export const stopInARequest: Scene = {
  name: 'stop-in-a-request',
  needs: ['announce'],
  rule: 'A stop gives up what is under way, and sends the remove.',
  proves: ['docs/write-a-client.md', 'gives up what is under way'],
  timeoutMs: 15_000,
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    {
      request: 'ping',
      after: [0, 20_000],
      token: 'A',
      id: 'A',
      meanwhile: [{ stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } }],
      answer: { silence: true },
    },
  ],
};
