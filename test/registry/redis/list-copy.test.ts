import { expect } from 'chai';
import type { ChangesBatch } from '../../../src/registry/redis/feed/feed.ts';
import { ListCopy } from '../../../src/registry/redis/feed/list-copy.ts';
import { anEntry } from '../../support/builders.ts';

const COUNT = 1000;

/** A list of so many, as Redis tells it to a replica that joins. */
const BATCH: ChangesBatch = {
  epoch: 'e',
  version: COUNT,
  cursor: COUNT,
  base: 0,
  moderationVersion: 0,
  logOffset: undefined,
  digest: (COUNT * (COUNT + 1)) / 2,
  count: COUNT,
  full: true,
  more: false,
  silent: 0,
  expired: [],
  tombstones: [],
  changed: Array.from({ length: COUNT }, (_, n) => anEntry({ id: `id-${n}`, registeredVersion: n + 1 })),
  playerChanges: [],
  damaged: [],
  health: { loss: '', isWhole: true },
  floor: 0,
  resetVersion: 0,
  isMended: false,
  wrongTypes: [],
};

describe('the copy of the list', () => {
  it('takes over many changes in turns, and stands where they lead once it has all of them', async () => {
    const copy = new ListCopy(() => true, 0);
    const actualNow = performance.now.bind(performance);
    let ms = 0;
    const between: boolean[] = [];
    performance.now = () => (ms += 0.02);
    const look = (): void => {
      between.push(copy.position.cursor === 0 && !copy.agreesWith(BATCH));
      if (between.length < 5) setImmediate(look);
    };
    setImmediate(look);
    try {
      await copy.apply(BATCH);
    } finally {
      performance.now = actualNow;
    }
    expect(between).to.have.length.above(3);
    expect(between).to.not.include(false);
    expect(copy.position.cursor).to.equal(COUNT);
    expect(copy.agreesWith(BATCH)).to.equal(true);
  });
});
