import type { Scene } from '../../scene.ts';

export const lateAnswer: Scene = {
  name: 'late-answer',
  needs: ['announce'],
  rule: 'A broadcast that was carried out but not answered in time is repeated under its key, and listed once.',
  proves: ['docs/game-servers.md', 'Repeat an unanswered broadcast under the same'],
  timeoutMs: 2500,
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', key: 'fresh', answer: { silence: true } },
    { request: 'broadcast', after: [500, 1000], token: 'claim', key: 'same', answer: { silence: true } },
    {
      request: 'broadcast',
      after: [1000, 2000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
