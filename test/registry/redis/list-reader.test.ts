import { expect } from 'chai';
import { CircuitBreaker } from '../../../src/registry/redis/scripts/circuit-breaker.ts';
import type { ConfirmedList } from '../../../src/registry/redis/follower/list-copy.ts';
import { ListReader } from '../../../src/registry/redis/follower/list-reader.ts';
import { Pulse } from '../../../src/runtime/pulse.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { PATIENT } from '../../support/patient.ts';

function listOf(version: number): ConfirmedList {
  return {
    snapshot: new SnapshotBuilder().build({ epoch: 'e', history: 'h', version }),
    at: 0,
    loss: '',
  };
}

describe('a read of the list', () => {
  const actualNow = performance.now.bind(performance);
  let looks: number;
  afterEach(() => {
    performance.now = actualNow;
  });

  /** The process is paused over the first look for so long. */
  function readerPausedFor(ms: number): ListReader {
    looks = 0;
    return new ListReader({
      breaker: new CircuitBreaker({ onOpen: () => undefined, onClose: () => undefined }),
      follower: {
        current: undefined,
        currentWithin: () => undefined,
        isIncomplete: false,
        async catchUp() {
          looks += 1;
          if (looks === 1) performance.now = () => actualNow() + ms;
          return listOf(looks);
        },
      },
      rest: { isResting: false },
      deadlines: PATIENT,
      pulse: new Pulse(),
      onPoll: undefined,
    });
  }

  it('looks at Redis again if the process was paused over its look', async () => {
    const { snapshot, staleSince } = await readerPausedFor(5000).list();
    expect([looks, snapshot.version, staleSince]).to.deep.equal([2, 2, undefined]);
  });

  it('looks once if it was not', async () => {
    const { snapshot } = await readerPausedFor(0).list();
    expect([looks, snapshot.version]).to.deep.equal([1, 1]);
  });
});
