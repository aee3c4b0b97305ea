import type { Scene } from '../../scene.ts';

export const redirect: Scene = {
  name: 'redirect',
  needs: ['announce'],
  rule: 'A redirect is not followed: it would take the token to another place.',
  proves: ['docs/game-servers.md', 'Follow no redirects'],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: { status: 307, headers: { Location: '/elsewhere' } },
    },
    {
      request: 'broadcast',
      after: [500, 1000],
      token: 'claim',
      key: 'same',
      answer: { status: 307, headers: { Location: '/elsewhere' } },
    },
    {
      request: 'broadcast',
      after: [1000, 2000],
      token: 'claim',
      key: 'same',
      answer: { status: 307, headers: { Location: '/elsewhere' } },
    },
    {
      request: 'broadcast',
      after: [2000, 4000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    {
      request: 'ping',
      after: [18_000, 22_000],
      token: 'A',
      id: 'A',
      answer: { status: 307, headers: { Location: '/elsewhere' } },
    },
    { request: 'ping', after: [500, 1000], token: 'A', id: 'A', answer: { accept: {} } },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
