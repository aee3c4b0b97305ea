/** What a game server does when the service refuses a write. */

import type { Span } from '../scene.ts';
import {
  LISTED,
  NEXT,
  SOON,
  START,
  broadcasts,
  listed,
  passes,
  pings,
  repeats,
  returns,
  settles,
  stops,
  theme,
} from './acts.ts';

/** The pauses after a Retry-After of 7 s, and after one that is a date in 9 s. */
const SEVEN_S: Span = [7000, 8000];
const BY_DATE: Span = [8000, 10_000];

export const REFUSALS = theme(['announce'], {
  'unknown-server': {
    rule: 'An entry that is gone is broadcast again within one interval, with the token and a fresh key. Id and token of the answer are new.',
    proves: ['docs/game-servers.md', '| 404 `unknown_server` '],
    acts: [
      ...LISTED,
      pings('A', SOON, { refuse: 'unknown_server' }),
      returns('A', SOON, listed('B')),
      pings('B', SOON),
      pings('B', NEXT),
      stops('B'),
    ],
  },
  'ip-mismatch': {
    rule: 'A game server whose address has changed broadcasts again with its token, which keeps the id.',
    proves: ['docs/game-servers.md', '| 403 `ip_mismatch` '],
    acts: [
      ...LISTED,
      pings('A', SOON, { refuse: 'ip_mismatch' }),
      returns('A', SOON, listed('A')),
      ...settles('A'),
    ],
  },
  'not-owner': {
    rule: 'A token that is refused is replaced by a claim once; if the next ping is refused too, it waits for minutes.',
    proves: ['docs/game-servers.md', '| 403 `not_owner`, `server_token_required` '],
    acts: [
      ...LISTED,
      pings('A', SOON),
      pings('A', NEXT, { refuse: 'not_owner' }),
      returns('claim', SOON, listed('B')),
      pings('B', SOON, { refuse: 'not_owner' }),
      returns('claim', [290_000, 310_000], listed('C')),
      ...settles('C'),
    ],
  },
  'server-token-required': {
    rule: 'A token that is refused is replaced by a claim once; if the next ping is refused too, it waits for minutes.',
    proves: ['docs/game-servers.md', '| 403 `not_owner`, `server_token_required` '],
    acts: [
      ...LISTED,
      pings('A', SOON),
      pings('A', NEXT, { refuse: 'server_token_required' }),
      returns('claim', SOON, listed('B')),
      pings('B', SOON, { refuse: 'server_token_required' }),
      returns('claim', [290_000, 310_000], listed('C')),
      ...settles('C'),
    ],
  },
  'idempotency-key-used': {
    rule: 'A broadcast whose entry has left the list is sent again under a fresh key.',
    proves: ['docs/game-servers.md', '| 409 `idempotency_key_used` '],
    acts: [
      START,
      broadcasts({ refuse: 'idempotency_key_used' }),
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
      START,
      { request: 'broadcast', answer: { refuse: 'overloaded', retryAfter: 999_999_999 } },
      repeats([20_000, 3_600_000], listed('A')),
      ...settles('A'),
    ],
  },
  'invalid-request': {
    rule: 'What a person has to correct is repeated after minutes, and not before.',
    proves: ['docs/game-servers.md', '| any other 4xx'],
    acts: [
      START,
      { request: 'broadcast', token: 'claim', answer: { refuse: 'invalid_request' } },
      repeats([290_000, 310_000], { refuse: 'banned' }),
      repeats([290_000, 310_000], listed('A')),
      ...settles('A'),
    ],
  },
});
