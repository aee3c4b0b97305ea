/** The next step of a follower of the feed, one row a step. */

import { expect } from 'chai';
import { decide, type FollowerState, type Step } from '../../../src/registry/redis/feed/feed-step.ts';
import type { ChangesBatch } from '../../../src/registry/redis/feed/feed.ts';

interface Found extends FollowerState {
  /** Whether count and digest of the copy are those of the page. */
  readonly agrees: boolean;
  readonly isWhole: boolean;
}

/** A follower that has had the list all along, and a whole registry that is as it knows it. */
const AT_REST: Found = {
  isFollowing: true,
  showsOwnWrites: true,
  mayHaveLost: false,
  hasWaitedForOthers: true,
  moderationVersion: 7,
  agrees: true,
  isWhole: true,
};
/** The same, and its copy was just loaded. */
const LOADED: Found = { ...AT_REST, isFollowing: false, showsOwnWrites: false };

const ROWS: readonly (readonly [finds: string, Partial<Found> & { of: Found }, step: Step])[] = [
  ['nothing amiss: the copy is the list', { of: AT_REST }, { do: 'make_current' }],
  ['nothing amiss in a copy it has just loaded: that is the list', { of: LOADED }, { do: 'make_current' }],
  [
    'that its copy, once the list, is not what Redis has: loads it anew',
    { of: AT_REST, agrees: false },
    { do: 'begin_anew', reason: 'digest' },
  ],
  [
    'that the copy lacks what its own callers wrote: Redis was rolled back',
    { of: AT_REST, showsOwnWrites: false },
    { do: 'begin_anew', reason: 'rollback' },
  ],
  [
    'both: the digest is the first that it notices',
    { of: AT_REST, agrees: false, showsOwnWrites: false },
    { do: 'begin_anew', reason: 'digest' },
  ],
  [
    'a loss that it was told of while its copy was the list: looks for itself first',
    { of: AT_REST, agrees: false, mayHaveLost: true, isWhole: false },
    { do: 'begin_anew', reason: 'digest' },
  ],
  [
    'that Redis may have lost what it knew: writes that back, before it waits for others',
    { of: LOADED, mayHaveLost: true, isWhole: false, hasWaitedForOthers: false },
    { do: 'write_back' },
  ],
  [
    'also if the copy is not what Redis says it has',
    { of: LOADED, mayHaveLost: true, agrees: false },
    { do: 'write_back' },
  ],
  [
    'that others have yet to tell what they knew: waits',
    { of: AT_REST, isWhole: false },
    { do: 'await_whole' },
  ],
  [
    'the same with a copy just loaded: the digest counts once the registry is whole',
    { of: LOADED, isWhole: false, agrees: false },
    { do: 'await_whole' },
  ],
  [
    'a whole registry, before the others could notice that it is not: waits as well',
    { of: LOADED, hasWaitedForOthers: false },
    { do: 'await_whole' },
  ],
  [
    'that moderators have decided something: takes it over',
    { of: AT_REST, moderationVersion: 6 },
    { do: 'follow_settings' },
  ],
  [
    'the same in a copy just loaded, whatever the digest',
    { of: LOADED, moderationVersion: 8, agrees: false },
    { do: 'follow_settings' },
  ],
  [
    'that Redis does not agree with what it has just told: mends it',
    { of: LOADED, agrees: false },
    { do: 'mend' },
  ],
];

describe('a follower of the feed, at the end of a catch-up, finds', () => {
  for (const [finds, { of, ...differing }, step] of ROWS) {
    it(finds, () => {
      const { agrees, isWhole, ...state } = { ...of, ...differing };
      const page = { health: { loss: 'a loss', isWhole }, moderationVersion: 7 } as ChangesBatch;
      const compared: ChangesBatch[] = [];
      const copy = { agreesWith: (its: ChangesBatch) => (compared.push(its), agrees) };
      expect(decide(copy, page, state)).to.deep.equal(step);
      expect(compared).to.deep.equal([page]);
    });
  }
});
