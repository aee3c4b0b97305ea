import type { Scene } from '../../scene.ts';

export const machineSlept: Scene = {
  name: 'machine-slept',
  needs: ['announce'],
  rule: 'After a machine has slept the overdue ping is sent once, and the next one an interval later.',
  proves: ['docs/write-a-client.md', 'After a machine has slept'],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { sleep: 3_600_000 },
    { request: 'ping', after: [3_600_000, 3_600_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { sleep: 259_200_000 },
    {
      request: 'ping',
      after: [259_200_000, 259_200_000],
      token: 'A',
      id: 'A',
      answer: { refuse: 'unknown_server' },
    },
    {
      request: 'broadcast',
      after: [0, 20_000],
      token: 'A',
      key: 'fresh',
      answer: { accept: { id: 'B', token: 'B', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'B', id: 'B', answer: { accept: {} } },
    { stop: { remove: { id: 'B', token: 'B', answer: { accept: {} } } } },
  ],
};
