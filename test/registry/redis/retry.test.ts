/** What may pass is tried again, but not for ever. */

import { expect } from 'chai';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import { ProcessPaused } from '../../../src/runtime/pulse.ts';
import { isOutage, retryWhilePassing } from '../../../src/registry/redis/scripts/retry.ts';

describe('a command that is repeated', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('is given up after a second, though the clock is set back meanwhile', async () => {
    const actualNow = performance.now.bind(performance);
    let attempts = 0;
    // Each attempt takes a quarter of a second.
    performance.now = () => 250 * attempts;
    try {
      const outcome = await retryWhilePassing(DEADLINES, async () => {
        attempts += 1;
        Date.now = () => now() - 3_600_000;
        throw new Error('Connection is closed.');
      }).catch(String);
      expect(outcome).to.equal('Error: Connection is closed.');
      expect(attempts).to.equal(4);
    } finally {
      performance.now = actualNow;
    }
  });

  it('fails with what Redis said, and not with the loss of the connection that came of it', async () => {
    const replica = Object.assign(new Error("READONLY You can't write"), { name: 'ReplyError' });
    const failures = [new Error('Connection is closed.'), replica];
    const outcome = await retryWhilePassing({ retryMs: 100 }, () =>
      Promise.reject(failures.shift() ?? new Error("Stream isn't writeable")),
    ).catch((error: unknown) => error);
    expect(outcome).to.equal(replica);
  });

  it('is repeated when its script was flushed once more while it was sent again', async () => {
    const flushed = Object.assign(new Error('NOSCRIPT No matching script. Please use EVAL.'), {
      name: 'ReplyError',
    });
    const outcomes = [Promise.reject(flushed), Promise.resolve('refreshed')];
    expect(await retryWhilePassing(DEADLINES, () => outcomes.shift()!)).to.equal('refreshed');
  });

  it('is not repeated when the process was paused over it, and Redis is not blamed', async () => {
    let attempts = 0;
    const outcome: unknown = await retryWhilePassing(DEADLINES, async () => {
      attempts += 1;
      throw new ProcessPaused();
    }).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(ProcessPaused);
    expect(isOutage(outcome)).to.equal(false);
    expect(attempts).to.equal(1);
  });

  it('is not repeated after a pause of the process', async () => {
    const actualNow = performance.now.bind(performance);
    let attempts = 0;
    try {
      const outcome = await retryWhilePassing(DEADLINES, async () => {
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
