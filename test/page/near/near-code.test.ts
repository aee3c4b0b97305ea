import { expect } from 'chai';
import { keptNearness } from '../../../src/page/near/near-code.ts';

const DAY_MS = 86_400_000;
const KEPT = {
  beacons: [{ id: 'fra', url: 'https://fra.example.com/', latency: {} }],
  latency: { fra: 10 },
};

function keptFor(ms: number): boolean {
  return keptNearness({ ...KEPT, at: Date.now() - ms }) !== undefined;
}

describe('what a player has measured', () => {
  it('is kept for a day', () => {
    expect(keptFor(0)).to.equal(true);
    expect(keptFor(DAY_MS - 60_000)).to.equal(true);
    expect(keptFor(DAY_MS)).to.equal(false);
    // The clock was set back.
    expect(keptFor(-60_000)).to.equal(false);
  });

  it('is nothing where the browser has kept anything else', () => {
    const at = Date.now();
    for (const value of [
      undefined,
      null,
      7,
      [],
      {},
      { at },
      { ...KEPT, at: 'x' },
      { ...KEPT, at, latency: { fra: 'x' } },
    ])
      expect(keptNearness(value), JSON.stringify(value)).to.equal(undefined);
  });
});
