import type { Scene } from '../../scene.ts';

/** Latin, Cyrillic, Han, Arabic, Devanagari, beyond the first plane; quotes, a backslash and a slash. */
const NAME = 'Žluťoučký Привет 你好 مرحبا नमस्ते 🎮👨‍👩‍👧 "q" \\ </script>';

export const namesOfEveryScript: Scene = {
  name: 'names-of-every-script',
  needs: ['announce'],
  rule: 'A name in any script arrives as it is.',
  proves: ['docs/write-a-client.md', 'with a body of JSON'],
  acts: [
    { start: { fields: { server_name: NAME } } },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'fresh',
      body: { server_name: NAME },
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    {
      request: 'ping',
      after: [0, 20_000],
      token: 'A',
      id: 'A',
      body: { server_name: NAME },
      answer: { accept: {} },
    },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
