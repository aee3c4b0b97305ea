/** The life of a game server whose service answers well. */

import {
  ACCEPTED,
  BEGINS_LISTED,
  FIRST,
  NEXT,
  SOON,
  STARTS,
  broadcasts,
  keeps,
  listed,
  pings,
  repeats,
  settles,
  starts,
  stops,
  theme,
} from './acts.ts';

/** Latin, Cyrillic, Han, Arabic, Devanagari, beyond the first plane; quotes, a backslash and a slash. */
const NAME = 'Žluťoučký Привет 你好 مرحبا नमस्ते 🎮👨‍👩‍👧 "q" \\ </script>';

export const LIFE = theme(['announce'], {
  'plain-life': {
    rule: 'A game server broadcasts once, pings at the interval, and sends a remove when it stops.',
    proves: ['docs/game-servers.md', 'Broadcast once, at the start'],
    short: true,
    acts: [
      ...starts(listed('A', 1)),
      pings('A', [0, 1000]),
      { repeat: 3, acts: [pings('A', [900, 1100])] },
      stops('A'),
    ],
  },
  'interval-by-header': {
    rule: 'The interval is what the service told last, also when it changes; what is no interval changes nothing.',
    proves: ['docs/write-a-client.md', '`Server-Ping-Interval`, a number from 1 to 1,000,000'],
    acts: [
      ...starts(listed('A', 10)),
      pings('A', [0, 10_000], { accept: { intervalS: 40 } }),
      pings('A', [36_000, 44_000], { accept: { intervalS: 5 } }),
      pings('A', [4500, 5500], { accept: { intervalS: 0 } }),
      pings('A', [4500, 5500], { accept: { intervalS: 'soon' } }),
      pings('A', [4500, 5500], { accept: { intervalS: '1e99' } }),
      pings('A', [4500, 5500]),
      stops('A'),
    ],
  },
  'usual-interval': {
    rule: 'A service that tells no interval is pinged every 20 s.',
    proves: ['docs/write-a-client.md', 'without it, it is 20 s'],
    acts: [...starts({ accept: { id: 'A', token: 'A' } }), ...keeps('A')],
  },
  'fields-of-now': {
    rule: 'Each ping tells the fields of now, and an update sends nothing by itself.',
    proves: ['docs/game-servers.md', 'Each ping carries the current fields'],
    acts: [
      {
        start: {
          fields: { map: 'de_dust2', tags: ['friendly'], meta: { language: ['en', 'de'], rounds: 3 } },
        },
      },
      broadcasts(listed('A'), {
        body: {
          players: 3,
          max_players: 16,
          server_ip: 'auto',
          map: 'de_dust2',
          tags: ['friendly'],
          meta: { language: ['en', 'de'], rounds: 3 },
        },
      }),
      { players: 5 },
      pings('A', SOON, ACCEPTED, { body: { players: 5, server_name: 'Frankfurt 1' } }),
      { players: 6 },
      { players: 7 },
      pings('A', NEXT, ACCEPTED, { body: { players: 7 } }),
      stops('A'),
    ],
  },
  'names-of-every-script': {
    rule: 'A name in any script arrives as it is.',
    proves: ['docs/write-a-client.md', 'with a body of JSON'],
    acts: [
      { start: { fields: { server_name: NAME } } },
      broadcasts(listed('A'), { body: { server_name: NAME } }),
      pings('A', SOON, ACCEPTED, { body: { server_name: NAME } }),
      stops('A'),
    ],
  },
  ipv6: {
    needs: ['ipv6'],
    rule: 'A service at an IPv6 address is reached.',
    proves: ['docs/write-a-client.md', '`ipv6`'],
    listens: 'ipv6',
    acts: [...BEGINS_LISTED, ...settles('A')],
  },
  'path-of-the-service': {
    rule: 'A service behind a path is asked below this path.',
    proves: ['docs/write-a-client.md', 'A service with a path'],
    path: '/lists/eu',
    acts: [...BEGINS_LISTED, ...settles('A')],
  },
  'one-connection': {
    rule: 'One connection is kept open, and not one made for each ping.',
    proves: ['docs/game-servers.md', 'Keep one connection open'],
    acts: [
      ...BEGINS_LISTED,
      pings('A', SOON),
      { repeat: 10, acts: [pings('A', NEXT)] },
      { connections: 1 },
      stops('A'),
    ],
  },
  'key-of-the-service': {
    needs: ['key'],
    rule: 'The key goes with each request.',
    proves: ['docs/write-a-client.md', 'the key of the service, where it asks for one'],
    key: 'a key of the service: 0123456789',
    acts: [...BEGINS_LISTED, ...settles('A')],
  },
  'key-refused': {
    needs: ['key'],
    rule: 'A key that is refused is nothing for quick repetitions: a person is told.',
    proves: ['docs/write-a-client.md', 'repeat the request after 300 s'],
    key: 'a key of the service: 0123456789',
    acts: [
      STARTS,
      { request: 'broadcast', token: 'claim', answer: { refuse: 'unauthorized' } },
      repeats([290_000, 310_000], listed('A')),
      ...settles('A'),
    ],
  },
  'unknown-fields-and-headers': {
    rule: 'What the service says beyond what is known does no harm, in an error either.',
    proves: ['docs/write-a-client.md', 'An answer is read up to 1 MiB'],
    acts: [
      ...starts({
        accept: {
          id: 'A',
          token: 'A',
          intervalS: 20,
          headers: { 'Server-TTL': 'x' },
          body: { mood: { deep: [[[1]]] }, server_id_2: 7 },
        },
      }),
      pings('A', SOON, { accept: { body: { server_id: 7, code: 'unknown_server' } } }),
      pings('A', NEXT, { refuse: 'registry_unavailable', also: { mood: [{}], server_id: 7, details: {} } }),
      pings('A', FIRST, { refuse: 'unknown_server', also: { mood: { deep: [[[1]]] } } }),
      broadcasts(listed('B'), { after: [0, 20_000], token: 'A' }),
      ...settles('B'),
    ],
  },
  'remove-at-the-end': {
    rule: 'The remove names the entry and its address, and nothing comes after it.',
    proves: ['docs/write-a-client.md', 'sends `/remove` with `server_id` and `server_ip`'],
    short: true,
    acts: [
      { start: { fields: { server_ip: '203.0.113.7' } } },
      broadcasts(listed('A')),
      pings('A', SOON),
      stops('A', { body: { server_ip: '203.0.113.7' } }),
      ...starts(listed('B')),
      ...settles('B'),
    ],
  },
});
