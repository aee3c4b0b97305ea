/** Beacons: how far game servers and readers are from them, and what comes first for a reader. */

import type { Act, AnswerScript, BeaconScript, Span } from '../scene.ts';
import {
  ACCEPTED,
  BEGINS_LISTED,
  NEXT,
  SOON,
  answersJson,
  broadcasts,
  gets,
  listed,
  pings,
  stops,
  theme,
} from './acts.ts';

/** The first request opens a connection, and one of the others was unlucky. */
const NEAR = [600, 10, 10, 900, 10, 10];
const FAR = [60];
const IS_NEAR: Span = [10, 150];
const IS_FAR: Span = [60, 250];
const HOUR: Span = [3_240_000, 3_960_000];
/** The span of the ping after what was measured since the ping before. */
const BY_NEXT: Span = [0, NEXT[1]];

const marked = (mark: string): AnswerScript => ({ accept: { headers: { 'Server-Beacons': mark } } });
const beacons = (
  each: Readonly<Record<string, BeaconScript>>,
  also: readonly object[] = [],
): AnswerScript => ({
  beacons: each,
  also,
});
/** The client asks for the beacons within this time of the answer with the mark, and the next ping says this. */
const measures = (
  mark: string,
  answer: AnswerScript,
  latency: Readonly<Record<string, Span>>,
  within = SOON,
  next = marked(mark),
): readonly Act[] => [{ beacons: within, mark, answer }, pings('A', BY_NEXT, next, { latency })];

const ODD: readonly object[] = [
  ...['A', 'a b', 'x"y', '', 'a'.repeat(17)].map((id) => ({ id, url: 'http://HOST/beacon/odd' })),
  ...[
    'file:///etc/hostname',
    'javascript:alert(1)',
    'ftp://HOST/beacon/odd',
    'http://user:word@HOST/beacon/odd',
    '//HOST/beacon/odd',
    'http://',
    '',
  ].map((url) => ({ id: 'odd', url })),
  { id: 7, url: 'http://HOST/beacon/odd' },
  { id: 'odd' },
  { id: 'odd', url: ['http://HOST/beacon/odd'] },
];

const MEASURING = theme(['announce', 'latency'], {
  'told-latency': {
    needs: ['key'],
    rule: 'What a game server has measured to the beacons is in each ping, as long as the service names a mark.',
    proves: ['docs/write-a-client.md', 'Its latency is the median of the last five'],
    path: '/lists/eu',
    key: 'for-game-servers+/=',
    acts: [
      ...BEGINS_LISTED,
      pings('A', SOON, ACCEPTED, { latency: {} }),
      pings('A', NEXT, marked('one'), { latency: {} }),
      ...measures('one', beacons({ fra: NEAR, nyc: FAR }), { fra: IS_NEAR, nyc: IS_FAR }),
      pings('A', NEXT, ACCEPTED, { latency: { fra: IS_NEAR, nyc: IS_FAR } }),
      pings('A', NEXT, ACCEPTED, { latency: {} }),
      pings('A', NEXT, ACCEPTED, { latency: {} }),
      stops('A'),
    ],
  },
  'latency-of-the-game': {
    rule: 'A latency that the game says itself stays.',
    proves: ['docs/write-a-client.md', 'or the game says its own'],
    acts: [
      { start: { fields: { latency: { fra: 7 } } } },
      broadcasts(listed('A')),
      pings('A', SOON, marked('one')),
      { beacons: SOON, mark: 'one', answer: beacons({ fra: FAR }) },
      pings('A', BY_NEXT, ACCEPTED, { body: { latency: { fra: 7 } } }),
      pings('A', NEXT, ACCEPTED, { body: { latency: { fra: 7 } } }),
      stops('A'),
    ],
  },
  'measured-anew': {
    rule: 'It measures again after another mark, after an hour, and when its address has changed.',
    proves: ['docs/write-a-client.md', 'then after 0.9 to 1.1 hours, and so on'],
    acts: [
      ...BEGINS_LISTED,
      pings('A', SOON, marked('one')),
      ...measures('one', beacons({ fra: [10] }), { fra: IS_NEAR }, SOON, marked('two')),
      ...measures('two', beacons({ nyc: FAR }), { nyc: IS_FAR }, SOON, {
        accept: { intervalS: 600, headers: { 'Server-Beacons': 'two' } },
      }),
      { beacons: HOUR, mark: 'two', answer: beacons({ nyc: [10] }) },
      pings('A', [0, 660_000], { refuse: 'ip_mismatch' }, { latency: { nyc: IS_NEAR } }),
      { beacons: [0, 600_000], mark: 'two', anew: true, answer: beacons({ nyc: FAR }) },
      pings('A', [0, 660_000], ACCEPTED, { latency: { nyc: IS_FAR } }),
      stops('A'),
    ],
  },
  'bad-beacons': {
    rule: 'A beacon that is none, or that answers badly or late, is left out, and the pings go on in time.',
    proves: ['docs/write-a-client.md', 'No ping waits for it'],
    acts: [
      ...BEGINS_LISTED,
      pings('A', SOON, marked('one')),
      {
        beacons: SOON,
        mark: 'one',
        answer: beacons(
          {
            fra: [10],
            broken: { status: 500 },
            leads: { status: 302, headers: { Location: '/beacon/odd' } },
            large: { status: 200, body: 'x'.repeat(1_000_000) },
            cut: { reset: 'before' },
            silent: { silence: true },
            mute: { silence: true },
            page: { status: 200, headers: { 'Set-Cookie': 'a=b; Path=/' } },
          },
          ODD,
        ),
      },
      { hangs: NEXT[1], ping: { request: 'ping', after: [0, NEXT[1]], answer: marked('one') } },
      pings('A', NEXT, ACCEPTED, { latency: { fra: IS_NEAR, page: [0, 150] } }),
      stops('A'),
    ],
  },
  'no-beacons': {
    rule: 'An answer that has no beacons is as good as none: no latency is said.',
    proves: ['docs/write-a-client.md', 'After any other answer there are none'],
    timeoutMs: 3000,
    acts: [
      ...BEGINS_LISTED,
      pings('A', SOON, marked('first')),
      ...[
        answersJson(200, '{"status":"success","beacons":[]}'),
        answersJson(200, '{"status":"success","beacons":{"length":1}}'),
        answersJson(200, '{"status":"success","beacons":[null,7,"a",[]]}'),
        answersJson(200, `{"status":"success","beacons":${'['.repeat(100_000)}`),
        { refuse: 'not_found' } as const,
        { status: 200 },
        { status: 302, headers: { Location: '/beacons' }, body: '' },
        { bytes: 2_000_000 },
        { half: true } as const,
        { silence: true } as const,
      ].flatMap((answer, index, { length }) =>
        measures(
          index === 0 ? 'first' : `mark ${index}`,
          answer,
          {},
          SOON,
          marked(`mark ${index + 1}`),
        ).slice(0, index + 1 === length ? 1 : 2),
      ),
      pings('A', BY_NEXT, ACCEPTED, { latency: {} }),
      pings('A', NEXT, ACCEPTED, { latency: {} }),
      stops('A'),
    ],
  },
});

const IS_THERE = { near: { fra: IS_NEAR, nyc: IS_FAR } };

const FINDING = theme(['nearest'], {
  'nearest-first': {
    needs: ['key'],
    rule: 'A reader that looks for what is near measures once, and asks with that, each rounded to 5 ms.',
    proves: ['docs/write-a-client.md', 'It is `find` with `near=fra:10,nyc:80`'],
    path: '/lists/eu',
    key: 'for-readers+/=',
    acts: [
      { nearest: 'region=eu' },
      gets('/beacons', beacons({ fra: NEAR, broken: { status: 500 }, nyc: FAR }, ODD)),
      gets('/servers', { servers: { ids: ['A'], next: 'second', each: { near_ms: 7 } } }, IS_THERE),
      gets('/servers', { servers: { ids: ['B'], next: null } }, { ...IS_THERE, cursor: 'second' }),
      { servers: ['A', 'B'] },
      { nearest: 'sort=-players' },
      gets('/servers', { servers: { ids: ['A'], next: null } }, IS_THERE),
      { servers: ['A'] },
      { find: 'region=eu' },
      gets('/servers', { servers: { ids: ['B'], next: null } }),
      { servers: ['B'] },
    ],
  },
  'nearest-without-beacons': {
    rule: 'Where nothing can be measured, all that matches is found.',
    proves: ['docs/write-a-client.md', 'Where nothing was measured, it is `find`'],
    acts: [
      answersJson(200, '{"status":"success","beacons":[]}'),
      { refuse: 'not_found' } as const,
      { status: 200 },
      beacons({ broken: { status: 500 } }),
    ].flatMap((answer): readonly Act[] => [
      { nearest: 'region=eu' },
      gets('/beacons', answer),
      gets('/servers', { servers: { ids: ['A'], next: null } }),
      { servers: ['A'] },
    ]),
  },
});

export const NEAREST = [...MEASURING, ...FINDING];
