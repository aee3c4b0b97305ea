import type { Scene } from '../../scene.ts';

export const usualInterval: Scene = {
  name: 'usual-interval',
  needs: ['announce'],
  rule: 'A service that tells no interval is pinged every 20 s.',
  proves: ['docs/write-a-client.md', 'until it is told, it is 20 s'],
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { accept: { id: 'A', token: 'A' } } },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
