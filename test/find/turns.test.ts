import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { expect } from 'chai';
import { Turns, type Work } from '../../src/find/turns.ts';

/** Work of so many steps of half a millisecond. */
function* working(steps: number): Work<string> {
  for (let step = 0; step < steps; step += 1) {
    const endsAt = performance.now() + 0.5;
    while (performance.now() < endsAt);
    yield;
  }
  return 'done';
}

function* failing(): Work<never> {
  yield;
  throw new Error('broken');
}

/** How often the event loop goes round until the work is done. */
async function roundsDuring(work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  void work.finally(() => (state.isDone = true));
  let rounds = 0;
  for (; !state.isDone; rounds += 1) await nextTurnOfTheLoop();
  return rounds;
}

describe('work in turns', () => {
  it('lets the event loop go round every few milliseconds, however much of it there is', async () => {
    const turns = new Turns();
    const all = Promise.all(Array.from({ length: 30 }, () => turns.run(() => working(10))));
    expect(await roundsDuring(all)).to.be.at.least(30);
    expect(new Set(await all)).to.deep.equal(new Set(['done']));
  });

  it('lets short work pass the long', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const long = turns.run(() => working(40)).then(() => order.push('long'));
    await nextTurnOfTheLoop();
    await turns.run(() => working(0)).then(() => order.push('short'));
    await long;
    expect(order).to.deep.equal(['short', 'long']);
  });

  it('is begun once and goes on with few others, however much waits', async () => {
    const turns = new Turns();
    const underWay = new Set<number>();
    let most = 0;
    function* counting(n: number): Work<void> {
      yield* working(4);
      underWay.add(n);
      most = Math.max(most, underWay.size);
      yield* working(4);
      underWay.delete(n);
    }
    await Promise.all(Array.from({ length: 60 }, (_, n) => turns.run(() => counting(n))));
    expect(most).to.be.within(2, 16);
  });

  it('fails alone', async () => {
    const turns = new Turns();
    const others = turns.run(() => working(1));
    for (const begin of [failing, () => Promise.reject<string>(new Error('broken'))])
      expect(await turns.run<string>(begin).catch((error: Error) => error.message)).to.equal('broken');
    expect(await others).to.equal('done');
  });
});
