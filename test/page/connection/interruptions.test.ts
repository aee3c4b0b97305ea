import { expect } from 'chai';
import { noteState, type Interruption } from '../../../src/page/connection/interruptions.ts';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';

const LIVE = { is: 'live' } as const;

function stale(asOf: number): ContactState {
  return { is: 'stale', asOf };
}

function away(asOf: number): ContactState {
  return { is: 'away', asOf, retryAt: 0, reason: 'unreachable' };
}

/** What is known after these states, each at its time. */
function noted(...states: readonly (readonly [at: number, feed: ContactState])[]): readonly Interruption[] {
  let known: readonly Interruption[] = [];
  let before: ContactState = { is: 'connecting' };
  for (const [at, feed] of states) {
    known = noteState(known, before, feed, at);
    before = feed;
  }
  return known;
}

describe('the interruptions that the page has seen', () => {
  it('begin when the list was heard of last, and end when it is live again', () => {
    expect(noted([0, LIVE], [15, away(10)], [20, away(10)])).to.deep.equal([
      { is: 'away', from: 10, to: undefined },
    ]);
    expect(noted([0, LIVE], [15, away(10)], [20, LIVE])).to.deep.equal([{ is: 'away', from: 10, to: 20 }]);
    expect(noted([0, LIVE], [15, stale(12)], [20, LIVE])).to.deep.equal([{ is: 'stale', from: 12, to: 20 }]);
  });

  it('follow one another without a hole or a time that counts twice', () => {
    expect(noted([0, LIVE], [15, away(10)], [20, stale(5)], [30, LIVE])).to.deep.equal([
      { is: 'stale', from: 20, to: 30 },
      { is: 'away', from: 10, to: 20 },
    ]);
  });

  it('go on while the page is hidden or connects again', () => {
    const states = [
      [0, LIVE],
      [15, away(10)],
      [20, { is: 'asleep', asOf: 10 }],
      [50, { is: 'connecting' }],
    ] as const;
    expect(noted(...states)).to.deep.equal([{ is: 'away', from: 10, to: undefined }]);
    expect(noted(...states, [60, LIVE])).to.deep.equal([{ is: 'away', from: 10, to: 60 }]);
  });

  it('do not begin in a time in which the page was hidden', () => {
    expect(noted([0, LIVE], [20, { is: 'asleep', asOf: 20 }], [90, away(20)])).to.deep.equal([
      { is: 'away', from: 90, to: undefined },
    ]);
  });

  it('are the latest twenty', () => {
    const states = Array.from({ length: 50 }, (_, at) => [at, at % 2 === 0 ? LIVE : away(at)] as const);
    const known = noted(...states);
    expect(known).to.have.length(20);
    expect(known[0]!.from).to.equal(49);
  });
});
