import type { Scene } from '../../scene.ts';

export const callsReturnAtOnce: Scene = {
  name: 'calls-return-at-once',
  needs: ['announce'],
  rule: 'A call from the loop of the game returns at once, whatever the service does.',
  proves: ['docs/write-a-client.md', 'Returns at once, whatever the network does'],
  timeoutMs: 6000,
  short: true,
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      meanwhile: [{ players: 4 }, { players: 5 }],
      answer: { accept: { id: 'A', token: 'A', intervalS: 1 } },
    },
    {
      request: 'ping',
      after: [0, 1000],
      token: 'A',
      id: 'A',
      body: { players: 5 },
      meanwhile: [{ players: 6 }],
      answer: { accept: {} },
    },
    {
      request: 'ping',
      after: [900, 1100],
      token: 'A',
      id: 'A',
      body: { players: 6 },
      answer: { accept: {} },
    },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
