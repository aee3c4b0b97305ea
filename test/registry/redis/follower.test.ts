/** In which order a follower asks for batches and takes them: what they hold is tested on a real Redis. */

import { expect } from 'chai';
import {
  BEGINNING,
  type ChangesBatch,
  type FollowerPosition,
} from '../../../src/registry/redis/follower/changes-batch.ts';
import { Documents } from '../../../src/registry/redis/documents.ts';
import { Follower, type FollowerOptions } from '../../../src/registry/redis/follower/follower.ts';
import { anEntry } from '../../support/builders.ts';

/** One that lists the entry with the version of its number; the digest is that of all up to it. */
function batchNumber(n: number, more: boolean, damaged: readonly string[] = []): ChangesBatch {
  return {
    epoch: 'e',
    version: 3,
    cursor: n,
    base: 3,
    moderationVersion: 0,
    logOffset: undefined,
    digest: (n * (n + 1)) / 2,
    count: n,
    full: n === 1,
    more,
    silent: 0,
    expired: [],
    tombstones: [],
    changed: [anEntry({ id: `id-${n}`, registeredVersion: n })],
    playerChanges: [],
    damaged,
    health: { loss: 'l', isWhole: true },
    floor: 0,
    resetVersion: 0,
    isMended: false,
    wrongTypes: [],
    refusal: '',
  };
}

const follow = (follower: Follower): ReturnType<Follower['catchUp']> => follower.catchUp(() => false);

describe('a follower of the feed', () => {
  const asked: FollowerPosition[] = [];
  let mends: number;

  /** Redis replies with these, one by one. */
  function followerOf(answers: readonly (() => Promise<ChangesBatch>)[], onAsked?: () => void): Follower {
    asked.length = 0;
    mends = 0;
    const changes = (position: FollowerPosition): Promise<ChangesBatch> => {
      asked.push(position);
      onAsked?.();
      return answers[asked.length - 1]!();
    };
    const options = {
      scripts: {
        changes,
        mend: () => {
          mends += 1;
          return Promise.resolve();
        },
      },
      settings: { isShown: () => true, moderationVersion: 0, secret: {} },
      clock: { now: () => asked.length },
      events: {},
      pulse: { hasPausedSince: () => false },
      signal: new AbortController().signal,
      lossNoticeMs: 0,
      documents: new Documents({ fetch: async () => [] }),
      refusals: { note: () => undefined, noteSuccess: () => undefined },
      writesBack: false,
    };
    return new Follower(options as unknown as FollowerOptions);
  }

  it('asks for the batch that follows before it takes one', async () => {
    const known: number[] = [];
    const answers = [1, 2, 3].map((n) => () => Promise.resolve(batchNumber(n, n < 3)));
    const follower = followerOf(answers, () => known.push([...follower.entries()].length));
    const { snapshot, at } = await follow(follower);
    expect(known).to.deep.equal([0, 0, 1]);
    expect(asked.map(({ cursor, base }) => [cursor, base])).to.deep.equal([
      [0, 0],
      [1, 3],
      [2, 3],
    ]);
    expect(snapshot.count).to.equal(3);
    // As it was when the last batch was asked for, not later.
    expect(at).to.equal(2);
  });

  it('asks for none that follows on a batch with damaged records, and begins anew once they are mended', async () => {
    const answers = [batchNumber(1, true, ['id-2']), batchNumber(1, false)].map(
      (batch) => () => Promise.resolve(batch),
    );
    const { snapshot } = await follow(followerOf(answers));
    expect(asked).to.deep.equal([BEGINNING, BEGINNING]);
    expect(mends).to.equal(1);
    expect(snapshot.count).to.equal(1);
  });

  it('takes the batch that it has when the one that follows fails, and goes on from there', async () => {
    const follower = followerOf([
      () => Promise.resolve(batchNumber(1, true)),
      () => Promise.reject(new Error('Redis is gone')),
      () => Promise.resolve(batchNumber(2, false)),
    ]);
    const failure = await follow(follower).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'Redis is gone');
    const { snapshot } = await follow(follower);
    expect(asked.map(({ cursor }) => cursor)).to.deep.equal([0, 1, 1]);
    expect(snapshot.count).to.equal(2);
  });
});
