import type { Scene } from '../../scene.ts';

export const hostileWords: Scene = {
  name: 'hostile-words',
  needs: ['announce'],
  rule: 'What the service says is made printable before a person reads it.',
  proves: ['docs/write-a-client.md', 'No line has a token or a key'],
  acts: [
    { start: {} },
    {
      request: 'broadcast',
      token: 'claim',
      answer: {
        status: 503,
        headers: { 'Content-Type': 'application/json' },
        body: '{"status":"error","error":"\\u001b[2J\\u0007\\u0000 gone","code":"overloaded"}',
      },
    },
    {
      request: 'broadcast',
      token: 'claim',
      key: 'same',
      answer: { accept: { id: 'A', token: 'A', intervalS: 20 } },
    },
    { request: 'ping', after: [0, 20_000], token: 'A', id: 'A', answer: { accept: {} } },
    { stop: { remove: { id: 'A', token: 'A', answer: { accept: {} } } } },
  ],
};
