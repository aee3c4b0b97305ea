import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { expect } from 'chai';
import { groupCommit } from '../../../src/registry/redis/scripts/group-commit.ts';
import { ProcessPaused, Pulse } from '../../../src/runtime/pulse.ts';
import { until } from '../../support/until.ts';

/** A server that answers when it is told to. */
class Server {
  readonly groups: number[][] = [];
  readonly #ends: ((results: readonly (string | Error)[] | Error) => void)[] = [];

  readonly run = (items: readonly number[]): Promise<readonly (string | Error)[]> => {
    this.groups.push([...items]);
    return new Promise((resolve, reject) => {
      this.#ends.push((results) => (results instanceof Error ? reject(results) : resolve(results)));
    });
  };

  /** Answers the group with this number, once it is here. Without results each item gets its own name. */
  async answer(group: number, results?: readonly (string | Error)[] | Error): Promise<void> {
    await until(() => this.groups.length > group);
    this.#ends[group]!(results ?? this.groups[group]!.map(String));
    await nextTurnOfTheLoop();
    await nextTurnOfTheLoop();
  }
}

describe('group commit', () => {
  let server: Server;
  let call: (item: number) => Promise<string>;

  beforeEach(() => {
    server = new Server();
    call = groupCommit({
      run: server.run,
      mostItems: 4,
      enoughItems: 3,
      gatherMs: 1,
      longestWaitMs: 60_000,
      pulse: new Pulse(),
    });
  });

  it('sends the calls of one turn of the event loop together, in order', async () => {
    const results = [call(1), call(2), call(3)];
    expect(server.groups).to.deep.equal([]);
    await nextTurnOfTheLoop();
    expect(server.groups).to.deep.equal([[1, 2, 3]]);
    await server.answer(0);
    expect(await Promise.all(results)).to.deep.equal(['1', '2', '3']);
  });

  it('gathers what comes while a group is under way, and sends it when that is back', async () => {
    const first = call(1);
    await nextTurnOfTheLoop();
    const later = [call(2), call(3)];
    await nextTurnOfTheLoop();
    expect(server.groups).to.deep.equal([[1]]);
    await server.answer(0);
    expect(server.groups).to.deep.equal([[1], [2, 3]]);
    await server.answer(1);
    expect(await Promise.all([first, ...later])).to.deep.equal(['1', '2', '3']);
  });

  it('gathers for a while after a small group, and never delays a call that is alone', async () => {
    const together = [call(1), call(2)];
    await server.answer(0);
    await Promise.all(together);
    const actualSetTimeout = globalThis.setTimeout;
    const gathering: [leave: () => void, ms: number][] = [];
    globalThis.setTimeout = ((leave: () => void, ms: number) =>
      gathering.push([leave, ms])) as unknown as typeof setTimeout;
    let next: Promise<string>;
    try {
      next = call(3);
      await nextTurnOfTheLoop();
    } finally {
      globalThis.setTimeout = actualSetTimeout;
    }
    expect(server.groups).to.have.length(1);
    expect(gathering.map(([, ms]) => ms)).to.deep.equal([1]);
    gathering[0]![0]();
    await server.answer(1);
    await next;
    const alone = call(4);
    await nextTurnOfTheLoop();
    expect(server.groups[2]).to.deep.equal([4]);
    await server.answer(2);
    await alone;
  });

  it('does not send what waited while the process was paused', async () => {
    const actualNow = performance.now.bind(performance);
    const late = call(1).catch((error: Error) => error.message);
    performance.now = () => actualNow() + 60_100;
    try {
      expect(await late).to.equal('The process was paused');
      expect(server.groups).to.deep.equal([]);
    } finally {
      performance.now = actualNow;
    }
  });

  it('does not send what is called after a pause that the turn of the event loop began before', async () => {
    const actualNow = performance.now.bind(performance);
    performance.now = () => actualNow() + 60_100;
    try {
      const outcome = await call(1).catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(ProcessPaused);
      expect(server.groups).to.deep.equal([]);
    } finally {
      performance.now = actualNow;
    }
  });

  it('lets no group grow beyond its limit, and none wait that is full', async () => {
    const results = Array.from({ length: 10 }, (_, i) => call(i));
    expect(server.groups).to.deep.equal([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
    await server.answer(0);
    expect(server.groups).to.have.length(2);
    await server.answer(1);
    await server.answer(2);
    expect(server.groups[2]).to.deep.equal([8, 9]);
    expect(await Promise.all(results)).to.deep.equal([...Array(10).keys()].map(String));
  });

  it('gives the error of one to that one alone', async () => {
    const results = [call(1), call(2), call(3)].map((each) => each.catch((error: Error) => error.message));
    await nextTurnOfTheLoop();
    await server.answer(0, ['1', new Error('broken'), '3']);
    expect(await Promise.all(results)).to.deep.equal(['1', 'broken', '3']);
  });

  it('fails with all that wait if the server gives no answer, and goes on', async () => {
    const failing = (item: number): Promise<string> => call(item).catch((error: Error) => error.message);
    const results = [failing(1), failing(2)];
    await nextTurnOfTheLoop();
    // A full group leaves at once, and one waits.
    results.push(...[3, 4, 5, 6, 7].map(failing));
    await server.answer(0, new Error('lost'));
    expect(await Promise.all(results)).to.deep.equal(Array(7).fill('lost'));
    await server.answer(1);
    const next = call(8);
    await server.answer(2);
    expect(server.groups).to.deep.equal([[1, 2], [3, 4, 5, 6], [8]]);
    expect(await next).to.equal('8');
  });
});
