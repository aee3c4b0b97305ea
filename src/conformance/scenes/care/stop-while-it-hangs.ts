import type { Scene } from '../../scene.ts';

export const stopWhileItHangs: Scene = {
  name: 'stop-while-it-hangs',
  needs: ['announce'],
  rule: 'A stop is over within 2 s, also when the service does not answer.',
  proves: ['docs/write-a-client.md', 'is over within 2 s'],
  timeoutMs: 15_000,
  short: true,
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 1 } },
    },
    { request: 'ping', after: [0, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { silence: true } } } },
  ],
};
