/** Scenes with the rules for each way to read: key, path, pages and query. */

import { asks, gets, lists, theme } from './acts.ts';

const QUERY = 'map=de_*,cs%2Coffice&tags=a,b&tags=c&name!=x%26y&players=1..&q=caf%C3%A9+noir&meta.mood=50%25';

export const READERS = theme([], {
  'key-of-a-reader': {
    needs: ['list', 'find', 'watch', 'key'],
    rule: 'Where reading needs a key, each request has it.',
    proves: ['docs/find.md', 'needs the same key'],
    key: 'for-readers+/=',
    acts: [
      ...lists({ answer: { servers: { ids: ['A'] } } }, ['A']),
      { find: '' },
      gets('/servers', { servers: { ids: ['A'], next: 'second' } }),
      gets('/servers', { servers: { ids: ['B'], next: null } }, { cursor: 'second' }),
      { servers: ['A', 'B'] },
      { watch: '' },
      gets('/changes', { servers: { ids: ['A'], full: true, tag: 'first' } }),
      { servers: ['A'] },
      gets('/changes', { servers: { ids: [], tag: 'first' } }),
    ],
  },
  'path-of-a-reader': {
    needs: ['list', 'find', 'watch'],
    rule: 'A service with a path is read below its path.',
    proves: ['docs/write-a-client.md', 'A service with a path is read below it'],
    path: '/lists/eu',
    acts: [
      ...lists({ answer: { servers: { ids: ['A'] } } }, ['A']),
      { find: '' },
      gets('/servers', { servers: { ids: ['A'], next: null } }),
      { servers: ['A'] },
      { watch: 'region=eu' },
      gets('/changes', { servers: { ids: ['A'], full: true, tag: 'first' } }),
      { servers: ['A'] },
    ],
  },
  'certificate-for-a-reader': {
    needs: ['list', 'find', 'key', 'tls'],
    rule: 'A reader tells its key to no service whose certificate is wrong.',
    proves: ['docs/write-a-client.md', 'takes any certificate: for a test at home'],
    listens: 'https',
    key: 'for-readers',
    acts: [{ list: true }, { failed: /[a-z]{2}/i }, { find: 'region=eu' }, { failed: /[a-z]{2}/i }],
  },
  'moving-pages': {
    needs: ['find'],
    rule: 'All pages are read with the same query. A server that moves from one to another is told once, as it was last.',
    proves: ['docs/write-a-client.md', 'A server that shows up twice is taken once, as it was seen last'],
    short: true,
    acts: [
      { find: 'region=eu&sort=-players' },
      gets('/servers', { servers: { ids: ['A', 'B', 'C'], next: 'second' } }),
      gets(
        '/servers',
        { servers: { ids: ['B', 'D'], next: 'third', each: { name: 'Oslo' } } },
        { cursor: 'second' },
      ),
      gets('/servers', { servers: { ids: [], next: 'fourth' } }, { cursor: 'third' }),
      gets('/servers', { servers: { ids: ['E'], next: null } }, { cursor: 'fourth' }),
      {
        servers: ['A', 'B', 'C', 'D', 'E'],
        called: { A: 'Frankfurt 1', B: 'Oslo', C: 'Frankfurt 3', D: 'Oslo', E: 'Frankfurt 1' },
      },
      { find: 'region=none' },
      gets('/servers', { servers: { ids: [], next: null } }),
      { servers: [] },
    ],
  },
  'broken-pages': {
    needs: ['find'],
    rule: 'A page that fails makes all of it fail: a part of the servers is not told for all of them.',
    proves: ['docs/write-a-client.md', 'A page that fails makes `find` fail'],
    acts: [
      { find: '' },
      gets('/servers', { servers: { ids: ['A'], next: 'second' } }),
      gets('/servers', { status: 502 }, { cursor: 'second' }),
      { failed: /./ },
      { find: '' },
      gets('/servers', { servers: { ids: ['A'], next: 'second' } }),
      gets('/servers', { servers: { ids: ['B'], next: null, each: { id: 7 } } }, { cursor: 'second' }),
      { failed: /./ },
      { find: '' },
      gets('/servers', { servers: { ids: ['A'], next: 'second' } }),
      gets('/servers', { servers: { ids: ['B'], next: null, cut: true } }, { cursor: 'second' }),
      { failed: /./ },
      { find: '' },
      gets('/servers', { servers: { ids: ['A'], next: null } }),
      { servers: ['A'] },
    ],
  },
  'query-as-it-is': {
    needs: ['find', 'watch'],
    rule: 'The query reaches the service as it was given: a comma and %2C do not mean the same.',
    proves: ['docs/find.md', '`%2C` is a comma of the text itself'],
    acts: [
      { find: QUERY },
      gets('/servers', { servers: { ids: ['A'], next: 'second' } }),
      gets('/servers', { servers: { ids: ['B'], next: null } }, { cursor: 'second' }),
      { servers: ['A', 'B'] },
      { watch: QUERY },
      asks('none', { servers: { ids: ['A'], full: true, tag: 'first' } }),
      { servers: ['A'] },
      asks('first', { servers: { ids: [], tag: 'first' } }),
    ],
  },
});
