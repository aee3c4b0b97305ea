/** The workers of a service: started, watched, started again, replaced and stopped. */

import { expect } from 'chai';
import { StartError } from '../../../src/service/workers/fleet.ts';
import { DRAIN_DELAY_MS, playFleet } from './use-fleet.ts';

describe('the workers of a service', () => {
  it('all start at once, and each is told its number when it hears', () => {
    const { workers } = playFleet(3);
    for (const worker of workers) worker.tell({ is: 'born' });
    expect(workers.map(({ heard }) => heard)).to.deep.equal(
      [1, 2, 3].map((worker) => [{ is: 'start', worker, workers: 3, othersListen: false }]),
    );
  });

  it('only the first that listens makes the service listen', () => {
    const { workers, log } = playFleet(2);
    workers[1]!.listen();
    workers[0]!.listen();
    expect(log).to.deep.equal(['2 listens on http://localhost:1', '1 listens']);
  });

  it('one that dies is started again after a pause, and told that others listen', async () => {
    const { workers, log, clock, fleet } = playFleet(2);
    for (const worker of workers) worker.listen();
    workers[0]!.end(1);
    expect(log.at(-1)).to.equal('1 died of 1, again in 100');
    expect(workers).to.have.lengthOf(2);
    await clock.advance(100);
    expect(workers).to.have.lengthOf(3);
    workers[2]!.listen();
    expect(workers[2]!.heard).to.deep.equal([{ is: 'start', worker: 1, workers: 2, othersListen: true }]);
    expect(fleet.counts).to.deep.equal({ listening: 2, deaths: 1 });
  });

  it('one that dies again and again is started after longer pauses, of 10 s at the most', async () => {
    const { workers, log, clock } = playFleet(1);
    for (let death = 0; death < 10; death += 1) {
      workers.at(-1)!.end('SIGSEGV');
      await clock.advance(10_000);
    }
    const pauses = log.map((line) => Number(/again in (\d+)/.exec(line)![1]));
    expect(pauses).to.deep.equal([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
  });

  it('one that has lived for a while begins with the shortest pause', async () => {
    const { workers, log, clock } = playFleet(1);
    workers[0]!.end(1);
    await clock.advance(100);
    workers[1]!.end(1);
    await clock.advance(200);
    workers[2]!.listen();
    for (let s = 0; s < 30; s += 1) {
      await clock.advance(1000);
      workers[2]!.tell({ is: 'alive' });
    }
    workers[2]!.end(1);
    expect(log.at(-1)).to.equal('1 died of 1, again in 100');
  });

  it('pauses differ by up to a quarter, so that workers that die together do not come together', () => {
    for (const [random, ms] of [
      [0, 75],
      [1, 125],
    ] as const) {
      const { workers, log } = playFleet(1, { random: () => random });
      workers[0]!.end(1);
      expect(log).to.deep.equal([`1 died of 1, again in ${ms}`]);
    }
  });

  it('one that gives no sign of life for 10 s is killed', async () => {
    const { workers, log, clock } = playFleet(2);
    for (const worker of workers) worker.listen();
    for (let s = 0; s < 11; s += 1) {
      workers[1]!.tell({ is: 'alive' });
      await clock.advance(1000);
    }
    expect(workers.slice(0, 2).map(({ isKilled }) => isKilled)).to.deep.equal([true, false]);
    expect(log.slice(2)).to.deep.equal(['1 silent for 10100', '1 died of SIGKILL, again in 100']);
  });

  it('one has longer for its start', async () => {
    const { workers, clock } = playFleet(1);
    await clock.advance(29_900);
    expect(workers[0]!.isKilled).to.equal(false);
    await clock.advance(300);
    expect(workers[0]!.isKilled).to.equal(true);
  });

  it('a pause of the primary does not count as silence', async () => {
    const { workers, clock } = playFleet(1);
    workers[0]!.listen();
    await clock.advance(5000);
    clock.jump(60_000);
    await clock.advance(5000);
    expect(workers[0]!.isKilled).to.equal(false);
    await clock.advance(300);
    expect(workers[0]!.isKilled).to.equal(true);
  });

  it('where the first cannot start, none is left, and the reason is that of the service', async () => {
    const { fleet, workers, log } = playFleet(2);
    workers[0]!.tell({ is: 'failed', message: 'port 1 is already in use', isUsage: false });
    workers[1]!.tell({ is: 'failed', message: 'port 1 is already in use', isUsage: false });
    const error = await fleet.ended.catch((each: unknown) => each);
    expect(error).to.be.instanceOf(StartError).and.to.include({ message: 'port 1 is already in use' });
    expect(workers.map(({ isKilled }) => isKilled)).to.deep.equal([true, true]);
    expect(log).to.deep.equal([]);
  });

  it('where others listen, one that cannot start is tried again', async () => {
    const { workers, log, clock } = playFleet(2);
    for (const worker of workers) worker.listen();
    workers[0]!.end(1);
    await clock.advance(100);
    workers[2]!.tell({ is: 'failed', message: 'the details schema is gone', isUsage: true });
    workers[2]!.end(1);
    expect(log.slice(3)).to.deep.equal(['1 failed: the details schema is gone', '1 died of 1, again in 200']);
  });

  it('a message to all reaches each', () => {
    const { fleet, workers } = playFleet(2);
    fleet.tellAll({ is: 'reload' });
    expect(workers.map(({ told }) => told)).to.deep.equal([['reload'], ['reload']]);
  });

  it('what is not about their life is passed on', () => {
    const { workers, log } = playFleet(1);
    workers[0]!.tell({ is: 'gatherMetrics', request: 1 });
    workers[0]!.tell({ is: 'alive' });
    expect(log).to.deep.equal(['gatherMetrics']);
  });

  it('stopped, all drain, and the service has ended when the last one has; none is started again', async () => {
    const { fleet, workers, clock, log } = playFleet(2);
    workers[0]!.listen();
    fleet.stop(1000);
    expect(workers[0]!.heard.at(-1)).to.deep.equal({ is: 'leave', delayMs: 1000, isReplaced: false });
    workers[0]!.end(0);
    let hasEnded = false;
    void fleet.ended.then(() => (hasEnded = true));
    await clock.advance(5000);
    expect([hasEnded, workers.length]).to.deep.equal([false, 2]);
    // It was not born when it was told to leave.
    workers[1]!.tell({ is: 'born' });
    expect(workers[1]!.heard.at(-1)).to.deep.equal({ is: 'leave', delayMs: 0, isReplaced: false });
    workers[1]!.end(0);
    await fleet.ended;
    expect(log).to.deep.equal(['1 listens on http://localhost:1']);
    expect(clock.timers).to.equal(0);
  });

  it('stopped while none runs, the service has ended', async () => {
    const { fleet, workers } = playFleet(1);
    workers[0]!.end(1);
    fleet.stop(0);
    await fleet.ended;
  });

  it('one that stands still while it is to drain is killed', async () => {
    const { fleet, workers, clock } = playFleet(1);
    workers[0]!.listen();
    fleet.stop(0);
    await clock.advance(10_200);
    await fleet.ended;
  });
});

describe('workers that are replaced', () => {
  it('leave one after the other, each once a new one listens in its place', () => {
    const { fleet, workers, log } = playFleet(2);
    for (const worker of workers) worker.listen();
    fleet.replaceAll();
    expect(workers).to.have.lengthOf(3);
    workers[2]!.tell({ is: 'born' });
    expect(workers[2]!.heard).to.deep.equal([{ is: 'start', worker: 1, workers: 2, othersListen: true }]);
    expect(workers[0]!.told).to.deep.equal(['start']);
    workers[2]!.listen();
    expect(workers[0]!.heard.at(-1)).to.deep.equal({
      is: 'leave',
      delayMs: DRAIN_DELAY_MS,
      isReplaced: true,
    });
    expect(workers).to.have.lengthOf(3);
    workers[0]!.end(0);
    expect(workers).to.have.lengthOf(4);
    workers[3]!.listen();
    workers[1]!.end(0);
    expect(log.slice(2)).to.deep.equal(['replacing 2', '1 listens', '2 listens', 'replaced']);
    expect(fleet.counts).to.deep.equal({ listening: 2, deaths: 0 });
  });

  it('asked for again meanwhile, are replaced once more afterwards, however often it was asked for', () => {
    const { fleet, workers, log } = playFleet(1);
    workers[0]!.listen();
    for (let n = 0; n < 3; n += 1) fleet.replaceAll();
    workers[1]!.listen();
    workers[0]!.end(0);
    workers[2]!.listen();
    workers[1]!.end(0);
    expect(log.filter((line) => line === 'replaced')).to.have.lengthOf(2);
    expect(workers).to.have.lengthOf(3);
  });

  it('stay where the new one dies before it listens', async () => {
    const { fleet, workers, log, clock } = playFleet(2);
    for (const worker of workers) worker.listen();
    fleet.replaceAll();
    workers[2]!.end(1);
    expect(log.slice(2)).to.deep.equal(['replacing 2', '1 not replaced']);
    await clock.advance(5000);
    expect(workers).to.have.lengthOf(3);
    expect(workers[0]!.told).to.deep.equal(['start']);
    fleet.replaceAll();
    expect(workers).to.have.lengthOf(4);
  });

  it('stay where the new one does not listen within a minute, as when Redis is away', async () => {
    const { fleet, workers, log, clock } = playFleet(1);
    workers[0]!.listen();
    fleet.replaceAll();
    for (let s = 0; s < 61; s += 1) {
      for (const worker of workers) worker.tell({ is: 'alive' });
      await clock.advance(1000);
    }
    expect(workers.map(({ isKilled }) => isKilled)).to.deep.equal([false, true]);
    expect(log.at(-1)).to.equal('1 not replaced');
  });

  it('that die meanwhile leave their place to the new one', async () => {
    const { fleet, workers, clock, log } = playFleet(1);
    workers[0]!.listen();
    fleet.replaceAll();
    workers[0]!.end('SIGKILL');
    await clock.advance(1000);
    expect(workers).to.have.lengthOf(2);
    workers[1]!.listen();
    expect(log.slice(-2)).to.deep.equal(['1 listens', 'replaced']);
    workers[1]!.end(1);
    await clock.advance(100);
    expect(workers).to.have.lengthOf(3);
  });

  it('that die with their new ones are started anew', async () => {
    const { fleet, workers, clock } = playFleet(1);
    workers[0]!.listen();
    fleet.replaceAll();
    workers[0]!.end(1);
    workers[1]!.end(1);
    await clock.advance(100);
    expect(workers).to.have.lengthOf(3);
  });

  it('need no new one where they are dead: one comes anyway', () => {
    const { fleet, workers, log } = playFleet(2);
    for (const worker of workers) worker.listen();
    workers[0]!.end(1);
    fleet.replaceAll();
    expect(workers).to.have.lengthOf(3);
    workers[2]!.listen();
    workers[1]!.end(0);
    expect(log.slice(-2)).to.deep.equal(['2 listens', 'replaced']);
  });

  it('all end, new and old, when the service is stopped', async () => {
    const { fleet, workers, log } = playFleet(1);
    workers[0]!.listen();
    fleet.replaceAll();
    fleet.stop(0);
    fleet.replaceAll();
    for (const worker of workers) worker.end(0);
    await fleet.ended;
    expect(workers.map(({ told }) => told.at(-1))).to.deep.equal(['leave', 'leave']);
    expect(log.slice(1)).to.deep.equal(['replacing 1']);
  });
});
