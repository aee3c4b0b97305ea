import type { Scene } from '../../scene.ts';

export const intervalByHeader: Scene = {
  name: 'interval-by-header',
  needs: ['announce'],
  rule: 'The interval is what the service told last, also when it changes; what is no interval changes nothing.',
  proves: ['docs/write-a-client.md', '`Server-Ping-Interval` if it is a number from 1 to 1,000,000'],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { accept: { id: 'A', token: 'A', intervalS: 10 } },
    },
    { request: 'ping', after: [0, 10_000], token: 'A', id: 'A', answer: { accept: { intervalS: 40 } } },
    { request: 'ping', after: [36_000, 44_000], token: 'A', id: 'A', answer: { accept: { intervalS: 5 } } },
    { request: 'ping', after: [4500, 5500], token: 'A', id: 'A', answer: { accept: { intervalS: 0 } } },
    { request: 'ping', after: [4500, 5500], token: 'A', id: 'A', answer: { accept: { intervalS: 'soon' } } },
    { request: 'ping', after: [4500, 5500], token: 'A', id: 'A', answer: { accept: { intervalS: '1e99' } } },
    { request: 'ping', after: [4500, 5500], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
