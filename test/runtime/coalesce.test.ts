import { expect } from 'chai';
import * as fc from 'fast-check';
import { coalesce } from '../../src/runtime/coalesce.ts';
import { runs } from '../support/runs.ts';

/** The results of three calls, of which the last two come in the rounds of the loop after the first. */
async function callInThreeRounds(next: () => Promise<number>): Promise<number[]> {
  const results = [next()];
  for (let call = 1; call <= 2; call += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    results.push(next());
  }
  return Promise.all(results);
}

describe('coalesced work', () => {
  it('is shared by all callers that come before it begins', async () => {
    let turns = 0;
    const next = coalesce(async () => (turns += 1));
    expect(await Promise.all([next(), next(), next()])).to.deep.equal([1, 1, 1]);
    expect(await next()).to.equal(2);
  });

  it('is shared by callers that come round after round of the loop, but for a while only', async () => {
    let turns = 0;
    const run = async (): Promise<number> => (turns += 1);
    expect(await callInThreeRounds(coalesce(run, () => 0))).to.deep.equal([1, 1, 1]);
    let time = 0;
    const slow = coalesce(run, () => (time += 1));
    const results = await callInThreeRounds(slow);
    expect(results[2]).to.be.greaterThan(results[0]!);
  });

  it('never has a result of a run that began before the call, and takes at most one run more', async () => {
    const began: (() => void)[] = [];
    const ends: (() => void)[] = [];
    const beginnings = [0, 1].map((turn) => new Promise<void>((resolve) => (began[turn] = resolve)));
    let turns = 0;
    const next = coalesce(async () => {
      const turn = turns;
      turns += 1;
      const end = new Promise<void>((resolve) => (ends[turn] = resolve));
      began[turn]!();
      await end;
      return turn;
    });
    const first = next();
    await beginnings[0];
    const late = [next(), next(), next()];
    ends[0]!();
    expect(await first).to.equal(0);
    await beginnings[1];
    ends[1]!();
    expect(await Promise.all(late)).to.deep.equal([1, 1, 1]);
    expect(turns).to.equal(2);
  });

  it('gets what the last caller has brought', async () => {
    const next = coalesce(async (brought: string) => `made of ${brought}`);
    expect(await Promise.all([next('a'), next('b')])).to.deep.equal(['made of b', 'made of b']);
    expect(await next('c')).to.equal('made of c');
  });

  it('goes on after a run that failed, and every caller of that run gets the failure', async () => {
    let turns = 0;
    const next = coalesce(async () => {
      turns += 1;
      if (turns === 1) throw new Error('no luck');
      return turns;
    });
    const failures = await Promise.allSettled([next(), next()]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await next()).to.equal(2);
  });

  it('shows every reader each write acknowledged before its call, however the steps interleave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.boolean(), { maxLength: 30 }),
        async (scheduler, isWrite) => {
          let truth = 0;
          const read = coalesce(async () => {
            await scheduler.schedule(Promise.resolve(), 'the question travels');
            const seen = truth;
            await scheduler.schedule(Promise.resolve(), 'the answer travels');
            return seen;
          });
          const results: Promise<void>[] = [];
          const steps = isWrite.map((write) => async () => {
            if (write) truth += 1;
            else {
              const acknowledged = truth;
              results.push(
                read()
                  .then((seen) => expect(seen).to.be.at.least(acknowledged))
                  .then(() => undefined),
              );
            }
          });
          const sequence = scheduler.scheduleSequence(steps);
          await scheduler.waitFor(sequence.task);
          await scheduler.waitFor(Promise.all(results));
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
