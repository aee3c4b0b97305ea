import type { Scene } from '../../scene.ts';

export const ipv6: Scene = {
  name: 'ipv6',
  needs: ['announce', 'ipv6'],
  rule: 'A service at an IPv6 address is reached.',
  proves: ['docs/write-a-client.md', '`ipv6`'],
  listens: 'ipv6',
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
