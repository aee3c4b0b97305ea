/** The windows of the clients of a rate limit, in memory, by a clock that the test moves. */

import { expect } from 'chai';
import { RateWindows } from '../../../../src/api/http/limits/rate-windows.ts';

const WINDOW_MS = 60_000;

describe('the windows of a rate limit', () => {
  let now: number;
  let windows: RateWindows;
  beforeEach(() => {
    now = 1000;
    windows = new RateWindows(WINDOW_MS, () => now);
  });

  it('begin with the first request of a client, and end one window later', () => {
    expect(windows.count('a')).to.deep.equal({ requests: 1, endsInMs: WINDOW_MS });
    now += 59_999;
    expect(windows.count('a')).to.deep.equal({ requests: 2, endsInMs: 1 });
    now += 1;
    expect(windows.count('a')).to.deep.equal({ requests: 1, endsInMs: WINDOW_MS });
  });

  it('are not made longer by requests, however many', () => {
    for (let n = 1; n <= 1000; n += 1) {
      now += 10;
      expect(windows.count('a')).to.deep.equal({ requests: n, endsInMs: WINDOW_MS - (n - 1) * 10 });
    }
  });

  it('are one for each client', () => {
    windows.count('a');
    now += 1;
    expect(windows.count('b')).to.deep.equal({ requests: 1, endsInMs: WINDOW_MS });
  });

  it('are kept to their end, whenever other clients come', () => {
    const begunAt = new Map<string, number>();
    for (let n = 0; n < 500; n += 1) {
      now += 700;
      begunAt.set(`client ${n}`, now);
      windows.count(`client ${n}`);
      for (const [client, at] of begunAt) {
        if (now - at >= WINDOW_MS) begunAt.delete(client);
        else expect(windows.count(client).endsInMs, client).to.equal(WINDOW_MS - (now - at));
      }
    }
  });

  it('can be taken over from another count', () => {
    windows.count('a');
    windows.set('a', { requests: 29, endsInMs: 5000 });
    now += 1000;
    expect(windows.count('a')).to.deep.equal({ requests: 30, endsInMs: 4000 });
  });

  it('are 100,000 at the most: with twice as many clients the latest are remembered', () => {
    for (let n = 0; n < 200_000; n += 1) windows.count(`client ${n}`);
    expect(windows.size).to.be.at.most(100_000);
    for (let n = 150_001; n < 200_000; n += 1) expect(windows.count(`client ${n}`).requests).to.equal(2);
  });

  it('are dropped from memory after their end', () => {
    for (let n = 0; n < 1000; n += 1) windows.count(`client ${n}`);
    for (let n = 0; n < 2; n += 1) {
      now += WINDOW_MS;
      windows.count('another');
    }
    expect(windows.size).to.be.at.most(2);
  });
});
