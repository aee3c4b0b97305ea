/** Beacons: how far game servers and readers are from them, and what comes first for a reader. */

import type { Act, AnswerScript, Scene, Span } from '../scene.ts';
import type { Spans } from '../span.ts';
import { ACCEPTED, BEGINS_LISTED, NEXT, SOON, answersJson, broadcasts, gets, pings } from './acts.ts';
import { stops, theme } from './acts.ts';

/** The first request opens a connection, and one of the others was unlucky. */
const NEAR = [600, 10, 10, 900, 10, 10];
const FAR = [60];
const IS_NEAR: Span = [10, 150];
const IS_FAR: Span = [60, 250];
/** From the ping behind what was measured: 0.9 to 1.1 hours, less the time until that ping. */
const HOUR: Span = [3_240_000 - NEXT[1], 3_960_000];
const LONG = 600_000;

const marked = (mark: string): AnswerScript => ({ accept: { headers: { 'Server-Beacons': mark } } });
const beacons = (each: Readonly<Record<string, readonly number[]>>): AnswerScript => ({ beacons: each });
const asks = (mark: string, answer: AnswerScript, span = SOON): Act => ({ beacons: span, mark, answer });
/** The next ping, with this latency. */
const tells = (latency: Spans, answer = ACCEPTED, most = NEXT[1]): Act =>
  pings('A', [0, most], answer, { latency });

/** Answers that have no beacons. */
const NONE: readonly AnswerScript[] = [
  answersJson(200, '{"status":"success","beacons":[null,7,"a",[]]}'),
  answersJson(200, `{"status":"success","beacons":${'['.repeat(100_000)}`),
  { refuse: 'not_found' },
  { status: 302, headers: { Location: '/beacons' }, body: '' },
  { bytes: 2_000_000 },
  { silence: true },
];
const FOUND: AnswerScript = { servers: { ids: ['A'], next: null, each: { near_ms: 7 } } };
const FINDS: readonly Act[] = [gets('/servers', FOUND), { servers: ['A'] }];
const KNOWN = { fra: IS_NEAR, nyc: IS_FAR };

export const NEAREST: readonly Scene[] = [
  ...theme(['announce', 'latency'], {
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
        asks('one', beacons({ fra: NEAR, nyc: FAR })),
        tells(KNOWN, marked('one')),
        tells(KNOWN),
        tells({}),
        tells({}),
        stops('A'),
      ],
    },
    'latency-of-the-game': {
      rule: 'A latency that the game says itself stays.',
      proves: ['docs/write-a-client.md', 'or the game says its own'],
      acts: [
        { start: { fields: { latency: { fra: 7 } } } },
        broadcasts({ accept: { id: 'A', token: 'A', intervalS: 5, headers: { 'Server-Beacons': 'one' } } }),
        asks('one', beacons({ fra: FAR }), [0, 5000]),
        tells({ fra: [7, 7] }),
        stops('A'),
      ],
    },
    'measured-anew': {
      rule: 'It measures again after another mark, after an hour, and when its address has changed.',
      proves: ['docs/write-a-client.md', 'then after 0.9 to 1.1 hours, and so on'],
      acts: [
        ...BEGINS_LISTED,
        pings('A', SOON, marked('one')),
        asks('one', beacons({ fra: [10] })),
        tells({ fra: IS_NEAR }, marked('two')),
        asks('two', beacons({ nyc: FAR })),
        tells({ nyc: IS_FAR }, { accept: { intervalS: LONG / 1000, headers: { 'Server-Beacons': 'two' } } }),
        asks('two', beacons({ nyc: [10] }), HOUR),
        tells({ nyc: IS_NEAR }, { refuse: 'ip_mismatch' }, 1.1 * LONG),
        { beacons: [0, LONG], mark: 'two', anew: true, answer: beacons({ nyc: FAR }) },
        tells({ nyc: IS_FAR }, ACCEPTED, 1.1 * LONG),
        stops('A'),
      ],
    },
    'bad-beacons': {
      rule: 'A beacon that is none, or that answers badly or late, is left out, and the pings go on in time.',
      proves: ['docs/write-a-client.md', 'No ping waits for it'],
      timeoutMs: 3000,
      acts: [
        ...BEGINS_LISTED,
        pings('A', SOON, marked('0')),
        ...NONE.flatMap((answer, at) => [asks(`${at}`, answer), tells({}, marked(`${at + 1}`))]),
        asks(`${NONE.length}`, {
          beacons: {
            fra: [10],
            broken: { status: 500 },
            leads: { status: 302, headers: { Location: '/' } },
            large: { status: 200, body: 'x'.repeat(1_000_000) },
            cut: { reset: 'before' },
            silent: { silence: true },
            mute: { silence: true },
            page: { status: 200, headers: { 'Set-Cookie': 'a=b; Path=/' } },
          },
        }),
        { hangs: NEXT[1], answer: marked(`${NONE.length}`) },
        tells({ fra: IS_NEAR, page: [0, 150] }),
        stops('A'),
      ],
    },
  }),
  ...theme(['nearest'], {
    'nearest-first': {
      needs: ['key'],
      rule: 'A reader that looks for what is near measures once, and asks with that, each rounded to 5 ms.',
      proves: ['docs/write-a-client.md', 'It is `find` with `near=fra:10,nyc:80`'],
      path: '/lists/eu',
      key: 'for-readers+/=',
      timeoutMs: 3000,
      acts: [
        ...[...NONE, { beacons: { broken: { status: 500 } } } as const].flatMap((answer): readonly Act[] => [
          { find: 'region=eu', nearest: {} },
          gets('/beacons', answer),
          ...FINDS,
        ]),
        { find: 'region=eu', nearest: KNOWN },
        gets('/beacons', { beacons: { fra: NEAR, broken: { status: 500 }, nyc: FAR } }),
        ...FINDS,
        { find: 'sort=-players', nearest: KNOWN },
        ...FINDS,
      ],
    },
  }),
];
