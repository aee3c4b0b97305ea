import type { Act, AnswerScript, Scene, ServersScript } from '../../scene.ts';

const json = (body: string): AnswerScript => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body,
});
const listed = (each: Readonly<Record<string, unknown>>): AnswerScript => {
  const servers: ServersScript = { ids: ['B', 'C'], etag: 'broken', each };
  return { servers };
};

const BROKEN: readonly AnswerScript[] = [
  { status: 200 },
  { status: 502 },
  { status: 404, body: '' },
  { status: 302, headers: { Location: '/elsewhere' }, body: '' },
  { servers: { ids: ['B', 'C'], etag: 'broken', cut: true } },
  { reset: 'within' },
  { reset: 'before' },
  { silence: true },
  json(''),
  json('null'),
  json('[]'),
  json('{}'),
  json('{"servers":null,"count":0}'),
  json('{"servers":{"length":1},"count":1}'),
  json('{"servers":[null],"count":1}'),
  json('{"servers":[[]],"count":1}'),
  json('{"servers":[{}],"count":1}'),
  json('{"servers":[],"count":0'),
  json(`{"servers":${'['.repeat(100_000)}`),
  json(`{"servers":${'['.repeat(100_000)}${']'.repeat(100_000)},"count":1}`),
  listed({ id: undefined }),
  listed({ id: 7 }),
  listed({ name: null }),
  listed({ host: ['eu1.example.com'] }),
  listed({ port: '7777' }),
  listed({ players: undefined }),
  listed({ max_players: {} }),
];

const once = (answer: AnswerScript): readonly Act[] => [
  { list: true },
  { get: '/', at: 'good', answer },
  { failed: /[a-z]{2}/i },
];

export const brokenLists: Scene = {
  name: 'broken-lists',
  needs: ['list'],
  rule: 'What is no list of GSLS is a failure in words, and the result before stays good.',
  proves: [
    'docs/write-a-client.md',
    'An answer that is none of GSLS** is a failure, and what is known stays',
  ],
  timeoutMs: 3000,
  acts: [
    { list: true },
    { get: '/', answer: { servers: { ids: ['A'], etag: 'good' } } },
    { servers: ['A'] },
    ...BROKEN.flatMap(once),
    { list: true },
    { get: '/', at: 'good', answer: { unchanged: true } },
    { servers: ['A'] },
  ],
};
