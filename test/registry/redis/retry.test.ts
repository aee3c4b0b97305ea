/** What may pass is tried again, but not for ever. */

import { expect } from 'chai';
import { retryWhilePassing } from '../../../src/registry/redis/retry.ts';

describe('a command that is repeated', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('is given up after a second, though the clock is set back meanwhile', async () => {
    let attempts = 0;
    const startedAt = performance.now();
    const outcome = await retryWhilePassing(async () => {
      attempts += 1;
      Date.now = () => now() - 3_600_000;
      throw new Error('Connection is closed.');
    }).catch(String);
    expect(outcome).to.equal('Error: Connection is closed.');
    expect(attempts).to.be.above(1);
    expect(performance.now() - startedAt).to.be.below(1500);
  });

  it('is not repeated after a pause of the process', async () => {
    const actualNow = performance.now.bind(performance);
    let attempts = 0;
    try {
      const outcome = await retryWhilePassing(async () => {
        attempts += 1;
        // It is over by the time of the next attempt.
        setTimeout(() => (performance.now = () => actualNow() + 5000), 1);
        throw new Error('Connection is closed.');
      }).catch(String);
      expect(outcome).to.equal('Error: Connection is closed.');
      expect(attempts).to.equal(1);
    } finally {
      performance.now = actualNow;
    }
  });
});
