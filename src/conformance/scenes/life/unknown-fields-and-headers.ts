import type { Scene } from '../../scene.ts';

export const unknownFieldsAndHeaders: Scene = {
  name: 'unknown-fields-and-headers',
  needs: ['announce'],
  rule: 'What the service says beyond what is known does no harm.',
  proves: ['docs/write-a-client.md', 'An answer is read up to 1 MiB'],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      answer: {
        accept: {
          id: 'A',
          token: 'A',
          intervalS: 20,
          headers: { 'Server-Mood': 'fine', 'Server-TTL': 'x' },
          body: { mood: { deep: [[[1]]] }, server_id_2: 7 },
        },
      },
    },
    {
      request: 'ping',
      after: [0, 20_000],
      token: 'A',
      id: 'A',
      answer: { accept: { body: { server_id: 7, code: 'unknown_server' } } },
    },
    { request: 'ping', after: [18_000, 22_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
