import type { Scene } from '../../scene.ts';

export const plainList: Scene = {
  name: 'plain-list',
  needs: ['list'],
  rule: 'The list is asked for, and told with all of its servers. What it does not know is no reason to fail.',
  proves: ['docs/write-a-client.md', '**`list`** is `GET /`'],
  short: true,
  acts: [
    { list: true },
    { get: '/', at: 'none', answer: { servers: { ids: ['A', 'B', 'C'] } } },
    { servers: ['A', 'B', 'C'], called: { A: 'Frankfurt 1', C: 'Frankfurt 3' } },
    { list: true },
    { get: '/', at: 'none', answer: { servers: { ids: [] } } },
    { servers: [] },
    { list: true },
    {
      get: '/',
      answer: {
        servers: {
          ids: ['A', 'B'],
          each: { mood: null, seats: { front: [1, 2.5, -3e-7] }, ['__proto__']: { id: 'Z' } },
          also: { weather: ['fine', { wind: true }], status: 'success' },
        },
      },
    },
    { servers: ['A', 'B'] },
    { list: true },
    { get: '/', answer: { servers: { ids: ['A'], each: { name: '東京 \u{1f3ae} "\\" Ünïcödé' } } } },
    { servers: ['A'], called: { A: '東京 \u{1f3ae} "\\" Ünïcödé' } },
  ],
};
