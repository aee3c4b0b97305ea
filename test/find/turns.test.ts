import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { expect } from 'chai';
import { Turns, type Work } from '../../src/find/turns.ts';

function* working(forMs: number): Work<string> {
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt) yield;
  return 'done';
}

function* failing(): Work<never> {
  yield;
  throw new Error('broken');
}

/** The longest time that the event loop has not gone round, in ms, until the work is done. */
async function longestHold(work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  void work.finally(() => (state.isDone = true));
  let longest = 0;
  let at = performance.now();
  while (!state.isDone) {
    await nextTurnOfTheLoop();
    const now = performance.now();
    longest = Math.max(longest, now - at);
    at = now;
  }
  return longest;
}

describe('work in turns', () => {
  it('never holds the event loop for long, however much of it there is', async () => {
    const turns = new Turns();
    const all = Promise.all(Array.from({ length: 30 }, () => turns.run(working(5))));
    expect(await longestHold(all)).to.be.below(40);
    expect(new Set(await all)).to.deep.equal(new Set(['done']));
  });

  it('lets short work pass the long', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const long = turns.run(working(30)).then(() => order.push('long'));
    await nextTurnOfTheLoop();
    await turns.run(working(0)).then(() => order.push('short'));
    await long;
    expect(order).to.deep.equal(['short', 'long']);
  });

  it('fails alone', async () => {
    const turns = new Turns();
    const others = turns.run(working(1));
    expect(await turns.run(failing()).catch((error: Error) => error.message)).to.equal('broken');
    expect(await others).to.equal('done');
  });
});
