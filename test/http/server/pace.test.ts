/** The pace at which a port starts what it is asked for. */

import { expect } from 'chai';
import { Pace } from '../../../src/http/server/pace.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const unwanted = (): boolean => false;

describe('a pace', () => {
  let clock: ManualClock;
  let pace: Pace;
  let started: number[];
  beforeEach(() => {
    clock = new ManualClock();
    pace = new Pace({ most: 3, intervalMs: 10, clock });
    started = [];
  });

  const run = (...tasks: readonly number[]): void =>
    tasks.forEach((task) => pace.run(() => started.push(task) > 0));

  it('starts tasks at once while there is room, and the others in their order, interval by interval', async () => {
    run(1, 2, 3, 4, 5, 6, 7, 8);
    expect(started).to.deep.equal([1, 2, 3]);
    await clock.advance(10);
    expect(started).to.deep.equal([1, 2, 3, 4, 5, 6]);
    run(9);
    expect(started).to.have.length(6);
    await clock.advance(10);
    expect(started).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    run(10);
    expect(started).to.have.length(9);
    await clock.advance(10);
    run(11);
    expect(started.slice(9)).to.deep.equal([10, 11]);
  });

  it('gives the turn of a task that is not wanted any more to the next one', async () => {
    pace.run(unwanted);
    run(1, 2, 3, 4);
    for (let n = 0; n < 1000; n += 1) pace.run(unwanted);
    run(5, 6, 7);
    expect(started).to.deep.equal([1, 2, 3]);
    await clock.advance(10);
    expect(started).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it('saves up no room while nothing is asked for', async () => {
    run(1);
    await clock.advance(1000);
    run(2, 3, 4, 5);
    expect(started).to.deep.equal([1, 2, 3, 4]);
  });

  it('makes up for no pause of the process', async () => {
    run(1, 2, 3, 4, 5, 6, 7);
    clock.jump(1000);
    await clock.advance(10);
    expect(started).to.have.length(6);
  });

  it('has a timer only while it is used', async () => {
    expect(clock.timers).to.equal(0);
    run(1);
    expect(clock.timers).to.equal(1);
    await clock.advance(20);
    expect(clock.timers).to.equal(0);
    run(2, 3, 4, 5);
    await clock.advance(10);
    expect(started).to.deep.equal([1, 2, 3, 4, 5]);
  });
});
