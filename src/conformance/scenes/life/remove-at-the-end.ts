import type { Scene } from '../../scene.ts';

export const removeAtTheEnd: Scene = {
  name: 'remove-at-the-end',
  needs: ['announce'],
  rule: 'The remove names the entry and its address, and nothing comes after it.',
  proves: ['docs/write-a-client.md', 'sends `/remove` with `server_id` and `server_ip`'],
  short: true,
  acts: [
    { start: { fields: { server_ip: '203.0.113.7' } } },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', body: { server_ip: '203.0.113.7' }, answer: { accept: {} } } } },
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'B', token: 'B', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'B', id: 'B', answer: { accept: {} } },
    { stop: { remove: { id: 'B', token: 'B', answer: { accept: {} } } } },
  ],
};
