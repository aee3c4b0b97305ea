/** How the clock of this machine is compared with that of Redis: by replies of a real one, and by slow ones. */

import { expect } from 'chai';
import { clockOffset, sureOffset, type ClockOffset } from '../../../src/registry/redis/redis-clock.ts';
import { systemClock } from '../../../src/registry/registry.ts';
import { createClockLog } from '../../../src/service/clock-log.ts';
import { createMetrics } from '../../../src/service/metrics/create-metrics.ts';
import { tellBoth } from '../../../src/service/tell-both.ts';
import { LogRecord } from '../../support/log-record.ts';
import { emptyRegistry, valueOf } from '../../support/metrics.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const HOURS_MS = 7_200_000;
const NOON = Date.UTC(2026, 0, 1, 12);

/** The offset by a reply that took so long, of a Redis that read this time in the middle. */
function offsetOf(aheadMs: number, tookMs: number): number {
  const asked = { steady: 500, system: NOON };
  const told = { steady: 500 + tookMs, system: NOON + tookMs };
  return sureOffset(clockOffset(asked, NOON + tookMs / 2 - aheadMs, told));
}

describe('the offset between the clocks of this machine and of Redis', () => {
  it('is known as far as the reply was fast', () => {
    expect(offsetOf(HOURS_MS, 10)).to.be.within(HOURS_MS - 6, HOURS_MS);
    expect(offsetOf(-HOURS_MS, 10)).to.be.within(-HOURS_MS, -HOURS_MS + 6);
    expect(offsetOf(HOURS_MS, 60_000)).to.be.within(HOURS_MS - 30_001, HOURS_MS);
  });

  it('is none where a slow reply alone may explain it', () => {
    expect(offsetOf(0, 0)).to.equal(0);
    expect(offsetOf(0, 60_000)).to.equal(0);
    expect(offsetOf(20_000, 60_000)).to.equal(0);
    expect(offsetOf(-20_000, 60_000)).to.equal(0);
  });

  it('is none where the machine slept between question and reply, or its clock was put forward', () => {
    const asked = { steady: 500, system: NOON };
    const told = { steady: 510, system: NOON + HOURS_MS };
    expect(sureOffset(clockOffset(asked, NOON, told))).to.equal(0);
  });
});

describe('the log of the clocks', () => {
  let log: LogRecord;
  let compare: (offset: ClockOffset) => void;
  beforeEach(() => {
    log = new LogRecord();
    compare = createClockLog(log.logger);
  });
  const levels = (): number[] => log.lines.map(({ level }) => level);

  it('has a line when they begin to differ, and one when they agree again', () => {
    for (const ms of [4999, 5001, 7000, 3000, 2500]) compare({ least: ms - 1, most: ms });
    expect(levels()).to.deep.equal([40]);
    expect(log.lines[0]).to.deep.include({ aheadMs: 5000 });
    compare({ least: 1000, most: 1001 });
    compare({ least: -5001, most: -5000 });
    expect(levels()).to.deep.equal([40, 30, 40]);
    expect(log.lines[2]).to.deep.include({ aheadMs: -5000 });
  });

  it('has none for replies that tell too little', () => {
    compare({ least: -60_000, most: 60_000 });
    compare({ least: HOURS_MS, most: HOURS_MS + 1 });
    compare({ least: -60_000, most: 60_000 });
    expect(levels()).to.deep.equal([40]);
  });
});

needs('redis-server').describe('a replica whose clock is two hours ahead of that of Redis', () => {
  const fixture = useReplicas();

  it('says so, and that it is right again, in its log and its metrics', async () => {
    const log = new LogRecord();
    const metrics = createMetrics({ hasRedis: true });
    let aheadMs = HOURS_MS;
    const registry = await fixture.open({
      clock: { ...systemClock, now: () => Date.now() + aheadMs },
      clockRulesRedis: false,
      events: tellBoth(metrics.events, { onClock: createClockLog(log.logger) }),
    });
    const shown = async (): Promise<number> => {
      await registry.list();
      return valueOf(await metrics.render(emptyRegistry), 'gsls_clock_offset_seconds');
    };
    expect(await shown()).to.be.within(7190, 7200);
    expect(log.lines.map(({ level }) => level)).to.deep.equal([40]);
    aheadMs = 0;
    await until(async () => (await shown()) === 0);
    expect(log.lines.map(({ level }) => level)).to.deep.equal([40, 30]);
  });
});
