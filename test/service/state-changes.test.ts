/**
 * The log of what changes for operators: a line when it begins, and one when it is over, which says how long it was.
 */

import { expect } from 'chai';
import { DEADLINES } from '../../src/runtime/deadlines.ts';
import { createProcessMetrics } from '../../src/service/metrics/create-metrics.ts';
import { createLoadWatch } from '../../src/api/http/limits/load-shedding.ts';
import { createDataFileLog, createRegistryLog } from '../../src/service/registry-log.ts';
import type { Logger } from '../../src/runtime/log/logger.ts';

describe('the log of a change of state', () => {
  let lines: string[];
  const log =
    (level: string) =>
    (fields: object, message: string): void => {
      const names = Object.entries(fields).map(([name, value]) =>
        name.endsWith('Ms') ? `${name}: ${typeof value}` : `${name}: ${value}`,
      );
      lines.push([level, message.split(/[:,]/, 1)[0], ...names].join(', '));
    };
  const logger: Logger = {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  };
  beforeEach(() => {
    lines = [];
  });

  it('tells of a held expiry how many were silent, then how long it was held', () => {
    const { onExpiryHeld, onExpiryReleased } = createRegistryLog(logger);
    onExpiryHeld({ silent: 40, listed: 60 });
    onExpiryReleased();
    expect(lines).to.deep.equal([
      'error, most game servers stopped pinging at the same time, silent: 40, listed: 60',
      'warn, the hold of the mass expiry is over, heldMs: number',
    ]);
  });

  it('tells of a data file why it cannot be written, then for how long it could not', () => {
    const events = createDataFileLog(logger, 'file');
    events.onUnwritable(new Error('ENOSPC'));
    events.onWritable();
    expect(lines).to.deep.equal([
      'error, the data file cannot be written, path: file, reason: ENOSPC',
      'info, the data file holds everything again, path: file, unwritableMs: number',
    ]);
  });

  it('tells of an overload what is refused, then for how long it was; and no more than once a minute', () => {
    let now = 0;
    const watch = createLoadWatch(logger, createProcessMetrics().load, DEADLINES, () => now);
    watch.start()();
    const pass = (ticks: number, ms: number): void => {
      for (let i = 0; i < ticks; i += 1) {
        now += ms;
        watch.tick();
      }
    };
    const told = [
      'warn, this replica has more to do than it can, shed: broadcast, delayMs: number',
      'info, this replica takes all requests again, shedMs: number',
    ];
    pass(5, 620);
    pass(5, 100);
    expect(lines).to.deep.equal(told);
    pass(5, 620);
    pass(5, 100);
    expect(lines).to.deep.equal(told);
    now += 60_000;
    pass(5, 100);
    pass(5, 620);
    pass(5, 100);
    expect(lines.slice(2)).to.deep.equal(told);
  });
});
