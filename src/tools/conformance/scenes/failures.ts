/** Scenes in which the service refuses a write of a game server, or in which no answer of GSLS comes. */

import type { Span } from '../scene.ts';
import {
  FIRST,
  BEGINS_LISTED,
  NEXT,
  PAUSES,
  SOON,
  STARTS,
  broadcasts,
  answersJson,
  keeps,
  listed,
  passes,
  pings,
  repeats,
  returns,
  settles,
  starts,
  stops,
  theme,
  type SceneOfTheme,
} from './acts.ts';

/** The pauses after a Retry-After of 7 s, and after one that is a date in 9 s. */
const SEVEN_S: Span = [7000, 8000];
const BY_DATE: Span = [8000, 10_000];

/** A service that refuses pings for their token, by this code. */
const refusesTokens = (refuse: 'not_owner' | 'server_token_required'): SceneOfTheme => ({
  rule: 'A token that is refused is replaced by a claim once; if the next ping is refused too, it waits for minutes.',
  proves: ['docs/game-servers.md', '| 403 `not_owner`, `server_token_required` '],
  acts: [
    ...BEGINS_LISTED,
    pings('A', SOON),
    pings('A', NEXT, { refuse }),
    returns('claim', SOON, listed('B')),
    pings('B', SOON, { refuse }),
    returns('claim', [290_000, 310_000], listed('C')),
    ...settles('C'),
  ],
});

export const FAILURES = theme(['announce'], {
  'unknown-server': {
    rule: 'An entry that is gone is broadcast again within one interval, with the token and a fresh key. Id and token of the answer are new.',
    proves: ['docs/game-servers.md', '| 404 `unknown_server` '],
    acts: [
      ...BEGINS_LISTED,
      pings('A', SOON, { refuse: 'unknown_server' }),
      returns('A', SOON, listed('B')),
      ...keeps('B'),
    ],
  },
  'ip-mismatch': {
    rule: 'A game server whose address has changed broadcasts again with its token, which keeps the id.',
    proves: ['docs/game-servers.md', '| 403 `ip_mismatch` '],
    acts: [
      ...BEGINS_LISTED,
      pings('A', SOON, { refuse: 'ip_mismatch' }),
      returns('A', SOON, listed('A')),
      ...settles('A'),
    ],
  },
  'not-owner': refusesTokens('not_owner'),
  'server-token-required': refusesTokens('server_token_required'),
  'idempotency-key-used': {
    rule: 'A broadcast whose entry has left the list is sent again under a fresh key.',
    proves: ['docs/game-servers.md', '| 409 `idempotency_key_used` '],
    acts: [
      ...starts({ refuse: 'idempotency_key_used' }),
      returns('claim', SOON, listed('A')),
      ...settles('A'),
    ],
  },
  'address-taken': {
    rule: 'An address that another entry holds may become free: the same broadcast again, with growing pauses.',
    proves: ['docs/write-a-client.md', '**What passes:**'],
    acts: passes({ refuse: 'address_taken' }),
  },
  'rate-limited': {
    rule: 'After 429 the same request comes again, not before Retry-After in seconds.',
    proves: ['docs/write-a-client.md', 'never before `Retry-After`'],
    acts: passes({ refuse: 'rate_limited', retryAfter: 7 }, [SEVEN_S, SEVEN_S, SEVEN_S]),
  },
  'unavailable-until': {
    rule: 'After 503 the same request comes again, not before the date in Retry-After.',
    proves: ['docs/write-a-client.md', 'count from the `Date` of the same answer'],
    acts: passes({ refuse: 'registry_unavailable', retryAfter: { dateIn: 9 } }, [BY_DATE, BY_DATE, BY_DATE]),
  },
  'retry-after-for-years': {
    rule: 'No Retry-After keeps a game server away for longer than an hour.',
    proves: ['docs/write-a-client.md', 'an hour at most'],
    acts: [
      STARTS,
      { request: 'broadcast', answer: { refuse: 'overloaded', retryAfter: 999_999_999 } },
      repeats([20_000, 3_600_000], listed('A')),
      ...settles('A'),
    ],
  },
  'invalid-request': {
    rule: 'What a person has to correct is repeated after minutes, and not before.',
    proves: ['docs/game-servers.md', '| any other 4xx'],
    acts: [
      STARTS,
      { request: 'broadcast', token: 'claim', answer: { refuse: 'invalid_request' } },
      repeats([290_000, 310_000], { refuse: 'banned' }),
      repeats([290_000, 310_000], listed('A')),
      ...settles('A'),
    ],
  },
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
    acts: passes(answersJson(200, '[{"status":"success"}]')),
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
      ...BEGINS_LISTED,
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
      ...starts({ silence: true }),
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
