import type { Act, Scene } from '../../scene.ts';

const namesOf = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, index) => `server ${from + index}`);

const ALL = namesOf(10_000);
const PAGES = 10;

const page = (index: number): Act => ({
  get: '/servers',
  ...(index > 0 && { cursor: `page ${index}` }),
  answer: {
    servers: { ids: namesOf(1000, 1000 * index), next: index === PAGES - 1 ? null : `page ${index + 1}` },
  },
});

export const tenThousandServers: Scene = {
  name: 'ten-thousand-servers',
  needs: ['list', 'find', 'watch', 'stream'],
  rule: 'Ten thousand servers are no problem: as a list, in pages, and by a stream.',
  proves: ['docs/write-a-client.md', 'up to 64 MiB'],
  acts: [
    { list: true },
    { get: '/', answer: { servers: { ids: ALL } } },
    { servers: ALL },
    { find: '' },
    ...Array.from({ length: PAGES }, (_, index) => page(index)),
    { servers: ALL },
    { watch: '' },
    {
      get: '/changes',
      accept: 'stream',
      answer: { stream: [{ changes: { ids: ALL, full: true, tag: 'first' } }] },
    },
    { servers: ALL },
    { send: [{ changes: { ids: [], removed: ALL.slice(5000), tag: 'second' } }] },
    { servers: ALL.slice(0, 5000) },
    { send: [{ changes: { ids: ALL.slice(2500, 7500), tag: 'third', each: { name: 'Oslo' } } }] },
    { servers: ALL.slice(0, 7500), called: { 'server 2499': 'Frankfurt 2500', 'server 2500': 'Oslo' } },
    { stop: {} },
  ],
};
