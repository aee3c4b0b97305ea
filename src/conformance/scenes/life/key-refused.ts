import type { Scene } from '../../scene.ts';

export const keyRefused: Scene = {
  name: 'key-refused',
  needs: ['announce', 'key'],
  rule: 'A key that is refused is nothing for quick repetitions: a person is told.',
  proves: ['docs/write-a-client.md', 'the same request again after 300 s'],
  key: 'a key of the service: 0123456789',
  acts: [
    { start: {} },
    { request: 'broadcast', token: 'claim', answer: { refuse: 'unauthorized' } },
    {
      request: 'broadcast',
      after: [290_000, 310_000],
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
