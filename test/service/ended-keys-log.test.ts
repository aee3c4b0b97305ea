/** Keys that end are seen in the log, once each. */

import { expect } from 'chai';
import type { Key } from '../../src/api/http/key-ring.ts';
import { logEndedKeys } from '../../src/service/ended-keys-log.ts';
import { LogRecord } from '../support/log-record.ts';
import { ManualClock } from '../support/manual-clock.ts';

const HOUR_MS = 3_600_000;

describe('the log of keys that end', () => {
  const clock = new ManualClock();
  const log = new LogRecord();
  const ends = (name: string, inMs?: number): Key => ({
    name,
    sha256: 'the digest',
    may: ['read'],
    ...(inMs !== undefined && { until: clock.now() + inMs }),
  });
  const named = (): unknown[] => log.lines.splice(0).map((line) => (line as unknown as { key: string }).key);

  it('has a warning for each at the start, or when it ends, and one more when it ends again', async () => {
    let keys = [ends('past', -1), ends('soon', HOUR_MS), ends('late', 3 * HOUR_MS), ends('ever')];
    const stop = logEndedKeys(() => keys, log.logger, clock);
    expect(log.lines).to.have.lengthOf(1);
    expect(log.lines[0]).to.include({ level: 40, key: 'past', until: '2025-12-31T23:59:59.999Z' });
    expect(JSON.stringify(log.lines)).to.not.include('the digest');
    expect(named()).to.deep.equal(['past']);
    await clock.advance(HOUR_MS - 1);
    expect(named()).to.deep.equal([]);
    await clock.advance(HOUR_MS);
    expect(named()).to.deep.equal(['soon']);
    keys = [ends('soon', HOUR_MS), ends('late', -HOUR_MS)];
    await clock.advance(2 * HOUR_MS);
    expect(named()).to.deep.equal(['late', 'soon']);
    stop();
    expect(clock.timers).to.equal(0);
  });
});
