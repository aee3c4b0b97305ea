import { mock } from 'node:test';
import { setImmediate as nextTurnOfTheLoop, setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Turns } from '../../../src/api/work/turns.ts';
import { awaited, OWN, type Asker, type Work, type WorkRefusal } from '../../../src/api/work/work.ts';

/** As long as one work goes on before another has its turn. */
const STEP_MS = 0.5;

function busy(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

function* working(steps: number): Work<string> {
  for (let step = 0; step < steps; step += 1) {
    busy(STEP_MS);
    yield;
  }
  return 'done';
}

function* failing(): Work<never> {
  yield;
  throw new Error('broken');
}

const clientNumber = (n: number): Asker => ({ client: { address: `203.0.113.${n}` } });
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(String, (error: Error) => error.message);
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: { readonly code?: string }) => error.code,
  );

/** How often the event loop goes round until the work is done. In each round everything else takes `elseMs`. */
async function roundsDuring(work: Promise<unknown>, elseMs = 0): Promise<number> {
  const state = { isDone: false };
  void work.finally(() => (state.isDone = true));
  let rounds = 0;
  for (; !state.isDone; rounds += 1) {
    await nextTurnOfTheLoop();
    busy(elseMs);
  }
  return rounds;
}

describe('work in turns', () => {
  // Time passes by what is done alone: the machine may have others to serve, and nothing is waited for.
  beforeEach(() => {
    let now = 0;
    mock.method(performance, 'now', () => (now += STEP_MS / 10));
  });
  afterEach(() => mock.restoreAll());

  it('lets the event loop go round every few milliseconds, however much of it there is', async () => {
    const turns = new Turns();
    const all = Promise.all(
      Array.from({ length: 30 }, (_, n) => turns.run(clientNumber(n), () => working(10))),
    );
    expect(await roundsDuring(all)).to.be.at.least(30);
    expect(new Set(await all)).to.deep.equal(new Set(['done']));
  });

  it('leaves most rounds of the event loop to everything else, which may have one connection in each', async () => {
    const turns = new Turns();
    // No turn is shorter than a step.
    const steps = 40;
    const rounds = await roundsDuring(
      turns.run(clientNumber(1), () => working(steps)),
      0.2,
    );
    expect(rounds).to.be.above(2 * steps);
  });

  it('waits for nothing while nothing else wants the event loop', async () => {
    const turns = new Turns();
    const rounds = await roundsDuring(turns.run(clientNumber(1), () => working(40)));
    expect(rounds).to.be.below(1000);
  });

  it('lets short work pass the long', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const long = turns.run(clientNumber(1), () => working(40)).then(() => order.push('long'));
    await nextTurnOfTheLoop();
    await turns.run(clientNumber(1), () => working(0)).then(() => order.push('short'));
    await long;
    expect(order).to.deep.equal(['short', 'long']);
  });

  for (const [clients, mostUnderWay] of [
    [1, 2],
    [4, 8],
    [60, 16],
  ] as const) {
    it(`goes on with little of each client and of all, however much waits: ${mostUnderWay} of ${clients}`, async () => {
      const turns = new Turns({ mostWaitMs: Infinity });
      const begun = { count: 0 };
      let open!: () => void;
      const gate = new Promise<void>((resolve) => (open = resolve));
      function* counting(): Work<void> {
        yield* working(4);
        begun.count += 1;
        yield* awaited(gate);
      }
      const all = Array.from({ length: 60 }, (_, n) => turns.run(clientNumber(n % clients), counting));
      while (begun.count < mostUnderWay) await nextTurnOfTheLoop();
      for (let round = 0; round < 200; round += 1) await nextTurnOfTheLoop();
      expect(begun.count).to.equal(mostUnderWay);
      open();
      await Promise.all(all);
    });
  }

  it('for a request that has had some goes before that for others of its client', async () => {
    const turns = new Turns({ mostWaitMs: Infinity });
    let [halfDone, mostHalfDone] = [0, 0];
    const both = async (): Promise<void> => {
      const asker = { ...clientNumber(1) };
      await turns.run(asker, () => working(4));
      halfDone += 1;
      mostHalfDone = Math.max(mostHalfDone, halfDone);
      await turns.run(asker, () => working(4));
      halfDone -= 1;
    };
    await Promise.all(Array.from({ length: 40 }, both));
    // Without it all 40 are. With it three are; a pause of the machine makes long works of two more, as many as a
    // client may have.
    expect(mostHalfDone).to.be.at.most(5);
  });

  it('fails alone, also where what it waits for fails', async () => {
    const turns = new Turns();
    const others = turns.run(clientNumber(1), () => working(1));
    for (const begin of [failing, () => awaited(Promise.reject<string>(new Error('broken')))])
      expect(await messageOf(turns.run<string>(clientNumber(1), begin))).to.equal('broken');
    expect(await others).to.equal('done');
  });

  it('goes on with what it has waited for, and other work goes on meanwhile', async () => {
    const turns = new Turns();
    let arrive!: (text: string) => void;
    const arrival = new Promise<string>((resolve) => (arrive = resolve));
    const waiting = turns.run(clientNumber(1), () => awaited(arrival));
    expect(await turns.run(clientNumber(1), () => working(4))).to.equal('done');
    arrive('there');
    expect(await waiting).to.equal('there');
  });

  it('of one client does not wait for all that another one has brought before', async () => {
    const turns = new Turns({ mostWaitMs: Infinity });
    let isOtherDone = 0;
    const flood = Array.from({ length: 200 }, () =>
      turns.run({ client: { address: '2001:db8::1' } }, () => working(4)).then(() => (isOtherDone += 1)),
    );
    await turns.run({ client: { address: '2001:db8:0:1::1' } }, () => working(4));
    expect(isOtherDone).to.be.below(20);
    await Promise.all(flood);
  });

  it('counts all addresses of an IPv6 network as one client', async () => {
    const turns = new Turns({ mostWaitMs: Infinity });
    const order: string[] = [];
    const begin = (address: string) =>
      turns.run({ client: { address } }, () => working(4)).then(() => order.push(address));
    await Promise.all(['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4', '203.0.113.1'].map(begin));
    expect(order.indexOf('203.0.113.1')).to.be.below(3);
  });

  it('has the turns of all clients that wait for it', async () => {
    const turns = new Turns({ mostWaitMs: Infinity });
    let othersDone = 0;
    const flood = Array.from({ length: 100 }, () =>
      turns.run(clientNumber(1), () => working(4)).then(() => (othersDone += 1)),
    );
    const shared = turns.share(clientNumber(1), () => working(4));
    shared.join(clientNumber(2));
    await shared.result;
    expect(othersDone).to.be.below(20);
    await Promise.all(flood);
  });

  it('of the replica itself goes on beside any number of clients, and is not refused', async () => {
    const refusals: WorkRefusal[] = [];
    const turns = new Turns({ mostWaitMs: 100, events: { onRefused: (reason) => refusals.push(reason) } });
    const flood = Array.from({ length: 300 }, (_, n) =>
      codeOf(turns.run(clientNumber(n), () => working(10))),
    );
    expect(await turns.run(OWN, () => working(100))).to.equal('done');
    const codes = await Promise.all(flood);
    expect(new Set(codes)).to.deep.equal(new Set([undefined, 'overloaded']));
    expect(refusals).to.have.length(codes.filter((code) => code !== undefined).length);
  });

  it('of the replica itself has one of three turns, however much clients have brought before', async () => {
    const turns = new Turns({ mostWaitMs: Infinity });
    let othersDone = 0;
    const flood = Array.from({ length: 100 }, (_, n) =>
      turns.run(clientNumber(n), () => working(10)).then(() => (othersDone += 1)),
    );
    await turns.run(OWN, () => working(40));
    expect(othersDone).to.be.below(20);
    await Promise.all(flood);
  });

  it('that has waited too long without a turn of its own is refused', async () => {
    const refusals: WorkRefusal[] = [];
    const turns = new Turns({ mostWaitMs: 20, events: { onRefused: (reason) => refusals.push(reason) } });
    const began = performance.now();
    const codes = await Promise.all(
      Array.from({ length: 100 }, () => codeOf(turns.run({ ...clientNumber(1) }, () => working(20)))),
    );
    expect(codes.filter((code) => code === undefined).length).to.be.below(50);
    expect(new Set(refusals)).to.deep.equal(new Set(['wait']));
    // Ten milliseconds each: all of them would take a second.
    expect(performance.now() - began).to.be.below(900);
  });

  it('that would wait too long is refused at once, and that of another client is not', async () => {
    const refusals: WorkRefusal[] = [];
    const turns = new Turns({ mostWaitMs: 100, events: { onRefused: (reason) => refusals.push(reason) } });
    for (let n = 0; n < 20; n += 1) await turns.run({ ...clientNumber(1) }, () => working(20));
    const all = Array.from({ length: 100 }, () =>
      codeOf(turns.run({ ...clientNumber(1) }, () => working(20))),
    );
    expect(refusals.length).to.be.within(50, 99);
    expect(new Set(refusals)).to.deep.equal(new Set(['queue']));
    expect(await codeOf(turns.run(clientNumber(2), () => working(1)))).to.equal(undefined);
    await Promise.all(all);
  });

  it('is let in as long as it all would not wait too long, also right after the hardest', async () => {
    const turns = new Turns({ mostWaitMs: 5 });
    // Once let in, it may wait for a machine that pauses.
    for (const asker of [clientNumber(1), clientNumber(1)]) {
      turns.admit(asker);
      expect(await turns.run(asker, () => working(200))).to.equal('done');
    }
  });

  it('of a request that was let in is not refused, however much has come since', async () => {
    const turns = new Turns({ mostWaitMs: 10 });
    const asker = clientNumber(1);
    turns.admit(asker);
    await turns.run(asker, () => working(20));
    const flood = Array.from({ length: 200 }, () => codeOf(turns.run({ ...asker }, () => working(20))));
    expect(await codeOf(turns.run({ ...asker }, () => working(20)))).to.equal('overloaded');
    expect(await turns.run(asker, () => working(20))).to.equal('done');
    await Promise.all(flood);
  });

  it('that no client waits for any more is not begun', async () => {
    const refusals: WorkRefusal[] = [];
    const turns = new Turns({ events: { onRefused: (reason) => refusals.push(reason) } });
    const client = { ...clientNumber(1), isGone: () => true };
    let begun = 0;
    function* counting(): Work<void> {
      begun += 1;
      yield;
    }
    const alone = turns.share(client, counting);
    const both = turns.share({ ...client }, counting);
    both.join(clientNumber(2));
    expect(await codeOf(alone.result)).to.equal('overloaded');
    await both.result;
    expect([begun, refusals]).to.deep.equal([1, ['gone']]);
  });

  it('tells how much of it there is, how long it took and how much of that it had the event loop', async () => {
    mock.restoreAll();
    const told: number[][] = [];
    const counts: number[] = [];
    const turns = new Turns({
      events: { onDone: (...numbers) => told.push(numbers), onJobs: (count) => counts.push(count) },
    });
    await turns.run(clientNumber(1), function* () {
      yield* working(4);
      yield* awaited(delay(200));
    });
    const [[durationMs, spentMs]] = told as [[number, number]];
    expect(spentMs).to.be.within(4 * STEP_MS, durationMs - 100);
    expect(counts).to.deep.equal([1, 0]);
  });
});
