/** What the log says of load shedding. */

import { expect } from 'chai';
import { createLoadWatch } from '../../src/service/load.ts';
import { silentLogger } from '../support/start-test-service.ts';

describe('the log of a replica with too much to do', () => {
  const lines: [level: string, fields: object][] = [];
  const note = (level: string) => (fields: object) => lines.push([level, fields]);
  const logger = { ...silentLogger, info: note('info'), warn: note('warn') };
  let now: number;
  let watch: ReturnType<typeof createLoadWatch>;
  /** Five ticks, each so much late: the median and the longest are the same. */
  const late = (delayMs: number): void => {
    for (let tick = 0; tick < 5; tick += 1) {
      now += 100 + delayMs;
      watch.tick();
    }
  };
  beforeEach(() => {
    lines.splice(0);
    now = 0;
    const load = { onDelay: () => undefined, onShed: () => undefined };
    watch = createLoadWatch(logger, { load }, () => now);
  });

  it('says what is refused, and when that is over', () => {
    late(900);
    const begunAt = now;
    late(0);
    expect(lines).to.have.lengthOf(2);
    expect(lines[0]).to.deep.equal(['warn', { shed: ['broadcast', 'list', 'ping'], delayMs: 900 }]);
    expect(lines[1]![0]).to.equal('info');
    expect(lines[1]![1])
      .to.have.property('shedMs')
      .that.is.within(now - begunAt, now);
  });

  it('says both at most once a minute', () => {
    for (let time = 0; time < 3; time += 1) {
      late(900);
      late(0);
    }
    expect(lines.map(([level]) => level)).to.deep.equal(['warn', 'info']);
    now += 60_000;
    late(0);
    late(900);
    late(0);
    expect(lines.map(([level]) => level)).to.deep.equal(['warn', 'info', 'warn', 'info']);
  });
});
