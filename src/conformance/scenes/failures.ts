/** What a game server does when no answer of GSLS comes. */

import {
  FIRST,
  LISTED,
  NEXT,
  PAUSES,
  SOON,
  START,
  broadcasts,
  json,
  listed,
  passes,
  pings,
  repeats,
  settles,
  stops,
  theme,
} from './acts.ts';

export const FAILURES = theme(['announce'], {
  'error-without-a-body': {
    rule: 'A 500 without a body passes.',
    proves: ['docs/write-a-client.md', '**What passes:**'],
    acts: passes({ status: 500, body: '' }),
  },
  'page-of-a-proxy': {
    rule: 'A page of HTML with status 200 is no success, and no reason for a new entry.',
    proves: ['docs/write-a-client.md', 'an answer that is none of GSLS'],
    acts: passes({ status: 200 }),
  },
  'not-found-by-a-proxy': {
    rule: 'A 404 of a proxy is not the 404 of GSLS: the entry is not gone.',
    proves: ['docs/write-a-client.md', 'an answer that is none of GSLS'],
    acts: passes({ status: 404 }),
  },
  'strange-json': {
    rule: 'JSON that is none of GSLS is no success.',
    proves: ['docs/write-a-client.md', 'an answer that is none of GSLS'],
    acts: passes(json(200, '[{"status":"success"}]')),
  },
  'reset-before-the-answer': {
    rule: 'A connection that is reset before the answer passes.',
    proves: ['docs/write-a-client.md', '**What passes:**'],
    acts: passes({ reset: 'before' }),
  },
  'reset-in-the-answer': {
    rule: 'A connection that is reset in the answer passes.',
    proves: ['docs/write-a-client.md', '**What passes:**'],
    acts: passes({ reset: 'within' }),
  },
  'half-an-answer': {
    rule: 'An answer that ends too soon passes.',
    proves: ['docs/write-a-client.md', '**What passes:**'],
    acts: passes({ half: true }),
  },
  'ten-megabytes': {
    rule: 'An answer of ten megabytes is not read to its end.',
    proves: ['docs/write-a-client.md', 'An answer is read up to 1 MiB'],
    acts: passes({ bytes: 10_000_000 }, [FIRST]),
  },
  redirect: {
    rule: 'A redirect is not followed: it would take the token to another place.',
    proves: ['docs/game-servers.md', 'Follow no redirects'],
    acts: passes({ status: 307, headers: { Location: '/elsewhere' } }),
  },
  silence: {
    rule: 'A request without an answer is given up, and sent again.',
    proves: ['docs/write-a-client.md', 'What passes'],
    timeoutMs: 2500,
    acts: passes({ silence: true }, [FIRST]),
  },
  'refused-connection': {
    rule: 'A service that is away is tried with growing pauses, up to the interval.',
    proves: ['docs/write-a-client.md', 'after 1 s, 2 s, 4 s and so on up to the interval'],
    acts: [
      ...LISTED,
      pings('A', SOON),
      {
        down: [
          FIRST,
          PAUSES[1]!,
          PAUSES[2]!,
          [4000, 8000],
          [8000, 16_000],
          [10_000, 20_000],
          [10_000, 20_000],
        ],
      },
      pings('A', [0, 0]),
      pings('A', NEXT),
      stops('A'),
    ],
  },
  'late-answer': {
    rule: 'A broadcast that was carried out but not answered in time is repeated under its key, and listed once.',
    proves: ['docs/game-servers.md', 'Repeat an unanswered broadcast under the same'],
    timeoutMs: 2500,
    acts: [
      START,
      broadcasts({ silence: true }),
      repeats(FIRST, { silence: true }),
      repeats(PAUSES[1]!, listed('A')),
      ...settles('A'),
    ],
  },
  'wrong-certificate': {
    needs: ['tls'],
    rule: 'A certificate that nobody trusts is refused.',
    proves: ['docs/write-a-client.md', 'takes any certificate'],
    listens: 'https',
    acts: [{ start: { failsFor: 10_000 } }, { stop: {} }],
  },
  'any-certificate': {
    needs: ['tls', 'insecure'],
    rule: 'An option takes any certificate, for a test at home.',
    proves: ['docs/write-a-client.md', 'takes any certificate'],
    listens: 'https',
    acts: [{ start: { insecure: true } }, broadcasts(listed('A')), ...settles('A')],
  },
});
