/** The histories of game servers in Redis: one for all replicas, stored once, and kept whatever becomes of Redis. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import type { ServerHistory } from '../../../src/registry/backend.ts';
import {
  RedisServerHistories,
  type RedisServerHistoriesOptions,
} from '../../../src/registry/redis/redis-server-histories.ts';
import { aList, anEntry } from '../../support/builders.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { saveRedis } from '../../support/redis-losses.ts';
import { runs } from '../../support/runs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const KEY = '{gsls}:history:servers';

needs('redis-server').describe('the histories of game servers in Redis', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;
  let startedAt: number;
  /** The players of each game server that the list shows. */
  let shown: Record<string, number>;
  /** When each lease ends by the clock of this test: Redis counts real time. */
  const leases = new Map<string, number>();
  /** Ends each replica of this run. */
  const opened: (() => void)[] = [];

  beforeEach(() => {
    ({ client, clock } = fixture);
    startedAt = clock.now();
    shown = { one: 5, two: 7 };
  });

  interface Replica {
    readonly histories: RedisServerHistories;
    /** How many histories it has stored. */
    stored: number;
    /** Whether it has ended, or sleeps. */
    isAway: boolean;
    /** Whether each call fails. */
    isUnreachable: boolean;
    /** Fails each call that stores but the first so many. */
    callsLeft: number;
  }

  function open(options: Partial<RedisServerHistoriesOptions> = {}): Replica {
    const scripts = fixture.scripts();
    const replica: Replica = {
      stored: 0,
      isAway: false,
      isUnreachable: false,
      callsLeft: Infinity,
      histories: new RedisServerHistories({
        scripts: {
          async takeLease(name, forMs) {
            await endLeases();
            const isTaken = await scripts.takeLease(name, forMs);
            if (isTaken) leases.set(name, clock.now() + forMs);
            return isTaken;
          },
          async exchangeTexts(of, writes, cursor) {
            if (replica.isUnreachable) throw new Error('Redis is away');
            if (writes.some((each) => !each.reads) && (replica.callsLeft -= 1) < 0)
              throw new Error('the replica has ended');
            const reply = await scripts.exchangeTexts(of, writes, cursor);
            replica.stored += writes.filter((each) => !each.reads && !reply.others.has(each.id)).length;
            return reply;
          },
        },
        breaker: { run: (operation) => operation() },
        writesBack: true,
        now: () => clock.now(),
        most: 1000,
        onFull: undefined,
        registry: aList(() => Object.entries(shown).map(([id, players]) => anEntry({ id, players }))),
        ...options,
      }),
    };
    const look = async (): Promise<void> => {
      if (!replica.isAway) await replica.histories.look().catch(() => undefined);
    };
    opened.push(clock.every(MINUTE_MS / 4, look));
    return replica;
  }

  async function endLeases(): Promise<void> {
    for (const [name, end] of leases)
      if (end <= clock.now() && leases.delete(name)) await client.del(`{gsls}:turn:${name}`);
  }

  /** Blocks pass, and replicas store all that is to be stored of them. */
  async function pass(blocks: number): Promise<void> {
    const passed = (clock.now() - startedAt) % (10 * MINUTE_MS);
    await clock.advance(10 * blocks * MINUTE_MS - passed + 2 * MINUTE_MS);
  }

  const historyOf = (replica: Replica, id = 'one'): Promise<ServerHistory | undefined> =>
    replica.histories.of(id);

  async function expectSame(replicas: readonly Replica[], ids = ['one', 'two']): Promise<void> {
    for (const id of ids) {
      const [first, ...others] = await Promise.all(replicas.map((each) => historyOf(each, id)));
      for (const each of others) expect(each).to.deep.equal(first);
    }
  }

  it('are stored by one replica, a block once, and are the same on three', async () => {
    const replicas = [open(), open(), open()];
    await pass(2);
    const stored = replicas.map((each) => each.stored).filter((count) => count > 0);
    // Two game servers, and when the list was looked at.
    expect(stored.reduce((sum, count) => sum + count, 0)).to.equal(2 * 3);
    expect(await historyOf(replicas[0]!)).to.deep.equal({
      points: [{ step: 'hour', time: startedAt, players: 5, peak: 5, uptime: 1 }],
      uptime: 1,
    });
    await expectSame([...replicas, open()]);
  });

  it('are stored by a replica that saw all of a block rather than by one that missed a minute', async () => {
    const late = open();
    late.isAway = true;
    const whole = open();
    await clock.advance(2 * MINUTE_MS);
    late.isAway = false;
    await pass(1);
    expect([late.stored, whole.stored]).to.deep.equal([0, 3]);
    await expectSame([late, whole]);
  });

  it('lose a block when all replicas are replaced in its midst, which is no downtime', async () => {
    const former = open();
    await pass(1);
    await clock.advance(3.25 * MINUTE_MS);
    former.isAway = true;
    const next = open();
    await pass(2);
    expect((await historyOf(next))!.uptime).to.equal(1);
    expect(await client.hlen(KEY)).to.equal(3);
  });

  it('are whole when the replica that stored a block ended in the midst of it', async () => {
    shown = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`server-${n}`, n]));
    const [ends, goesOn] = [open(), open()];
    await pass(1);
    // It may store a part of the next block.
    const [storing, other] = ends.stored > 0 ? [ends, goesOn] : [goesOn, ends];
    storing.callsLeft = 1;
    await pass(1);
    storing.isAway = true;
    await pass(1);
    for (const n of [0, 120, 249])
      expect(await historyOf(other, `server-${n}`)).to.deep.equal({
        points: [{ step: 'hour', time: startedAt, players: n, peak: n, uptime: 1 }],
        uptime: 1,
      });
  });

  it('are stored by another replica when all writes of the one that began fail', async () => {
    const failing = open();
    failing.callsLeft = 0;
    // A replica that missed a minute comes after it.
    const other = open();
    other.isAway = true;
    await clock.advance(2 * MINUTE_MS);
    other.isAway = false;
    await pass(1);
    await clock.advance(3 * MINUTE_MS);
    expect([failing.stored, other.stored]).to.deep.equal([0, 3]);
  });

  describe('are complete again', () => {
    const LOSSES: Readonly<Record<string, () => Promise<unknown>>> = {
      'is emptied': () => client.flushall(),
      'loses one': () => client.hdel(KEY, 'gone'),
      'loses when the list was looked at': () => client.hdel(KEY, ''),
      'has another type there': () => client.flushall().then(() => client.set(KEY, 'x')),
      'has nonsense there': () => client.hset(KEY, 'one', 'nonsense', 'two', '', 'gone', '\u{1F600}'),
    };
    for (const [what, lose] of Object.entries(LOSSES)) {
      it(`after Redis ${what}`, async () => {
        const replicas = [open(), open()];
        shown = { one: 5, two: 7, gone: 9 };
        await pass(2);
        delete shown['gone'];
        await pass(5);
        const ids = ['one', 'two', 'gone'];
        const before = await Promise.all(ids.map((id) => historyOf(replicas[0]!, id)));
        await lose();
        await pass(2);
        const joined = open();
        await expectSame([...replicas, joined], ids);
        for (const [n, id] of ids.entries()) {
          const [point] = (await historyOf(joined, id))!.points;
          expect(point, id).to.deep.equal(before[n]!.points[0]);
        }
        expect((await historyOf(joined, 'one'))!.uptime).to.equal(1);
      });
    }

    it('after Redis went back to an earlier state', async () => {
      const replicas = [open(), open()];
      await pass(3);
      const rollBack = await saveRedis(client);
      shown['one'] = 11;
      await pass(9);
      await rollBack();
      await pass(1);
      await pass(1);
      await expectSame([...replicas, open()]);
      const { points, uptime } = (await historyOf(replicas[1]!))!;
      expect(points).to.deep.equal([
        { step: 'hour', time: startedAt, players: 8, peak: 11, uptime: 1 },
        { step: 'hour', time: startedAt + HOUR_MS, players: 11, peak: 11, uptime: 1 },
        { step: 'hour', time: startedAt + 2 * HOUR_MS, players: 11, peak: 11, uptime: 1 },
      ]);
      expect(uptime).to.equal(1);
    });
  });

  it('are not told again by a replica that does not write back', async () => {
    const replica = open({ writesBack: false });
    shown = { one: 5, gone: 9 };
    await pass(2);
    delete shown['gone'];
    await pass(1);
    await client.flushall();
    await pass(1);
    await pass(1);
    expect(await client.hexists(KEY, 'gone')).to.equal(0);
    expect(await historyOf(replica, 'gone')).to.equal(undefined);
  });

  it('are not written back by a replica that has not heard that one is forgotten', async () => {
    const [one, other] = [open(), open()];
    await pass(2);
    delete shown['one'];
    await one.histories.forget('one');
    await client.hdel(KEY, 'two');
    await pass(2);
    for (const replica of [one, other, open()]) {
      expect(await historyOf(replica)).to.equal(undefined);
      expect(await historyOf(replica, 'two')).to.have.property('uptime', 1);
    }
  });

  /** What happens to Redis and to one of the replicas, and how long nothing else does then. */
  const fault = fc.record({
    redis: fc.constantFrom('stays', 'is emptied', 'loses the look', 'has another type', 'goes back'),
    replica: fc.constantFrom('stays', 'restarts', 'is away', 'ends while it stores'),
    which: fc.nat({ max: 2 }),
    minutes: fc.integer({ min: 1, max: 35 }),
  });
  const overlapping = fc.record({
    count: fc.integer({ min: 1, max: 3 }),
    steps: fc.array(fault, { minLength: 1, maxLength: 6 }),
  });
  const REDIS_FAULTS: Readonly<Record<string, () => Promise<unknown>>> = {
    'is emptied': () => client.flushall(),
    'loses the look': () => client.hdel(KEY, '').catch(() => 'has another type there'),
    'has another type': () => client.multi().del(KEY).set(KEY, 'x').exec(),
  };

  it('are complete after faults of Redis and of replicas that overlap at random', async function () {
    this.timeout(5 * MINUTE_MS);
    await fc.assert(
      fc.asyncProperty(overlapping, async ({ count, steps }) => {
        for (const stop of opened.splice(0)) stop();
        await client.flushall();
        clock.jump(HOUR_MS - (clock.now() % HOUR_MS));
        startedAt = clock.now();
        shown = { one: 5, gone: 9 };
        const replicas = Array.from({ length: count }, () => open());
        await pass(2);
        delete shown['gone'];
        await pass(1);
        const [before] = (await historyOf(replicas[0]!, 'gone'))!.points;
        let goBack = await saveRedis(client);
        for (const { redis, minutes, ...broke } of steps) {
          // What the only replica knows is lost with it.
          const replica = count > 1 ? broke.replica : 'stays';
          const which = broke.which % count;
          const broken = replicas[which]!;
          if (replica === 'ends while it stores') broken.callsLeft = 1;
          else if (replica !== 'stays') broken.isAway = true;
          if (replica === 'restarts') replicas[which] = open();
          await (redis === 'goes back' ? goBack() : REDIS_FAULTS[redis]?.());
          await clock.advance(minutes * MINUTE_MS);
          if (replica === 'ends while it stores') {
            broken.isAway = true;
            replicas[which] = open();
            // Until a replica has read what there is, a loss must not take the last one that knows it.
            await clock.advance(MINUTE_MS / 4);
          }
          broken.isAway &&= replicas[which] !== broken;
          if (redis === 'stays') goBack = await saveRedis(client);
        }
        await pass(2);
        await pass(2);
        await expectSame([...replicas, open()], ['one', 'gone']);
        const [first] = (await historyOf(replicas[0]!, 'gone'))!.points;
        expect(first).to.deep.equal({ ...before, uptime: first!.uptime });
        const { points, uptime } = (await historyOf(replicas[0]!))!;
        const hours = Math.ceil((clock.now() - 3 * MINUTE_MS - startedAt) / HOUR_MS);
        expect(points).to.deep.equal(
          Array.from({ length: hours }, (_, hour) => ({
            step: 'hour',
            time: startedAt + hour * HOUR_MS,
            players: 5,
            peak: 5,
            uptime: 1,
          })),
        );
        expect(uptime).to.equal(1);
      }),
      { numRuns: runs(10) },
    );
  });

  it('are taken away on all replicas at once when a moderator removes the entry', async () => {
    const [one, other] = [open(), open()];
    await pass(2);
    delete shown['one'];
    await one.histories.forget('one');
    expect(await historyOf(other)).to.equal(undefined);
    expect(await historyOf(other, 'two')).to.have.property('uptime', 1);
  });

  it('are told of one that has left while Redis is away, or has lost them', async () => {
    const [one, other] = [open(), open()];
    await pass(2);
    delete shown['one'];
    await client.flushall();
    expect(await historyOf(one)).to.have.property('uptime', 1);
    other.isUnreachable = true;
    expect(await historyOf(other)).to.have.property('uptime', 1);
  });

  it('are of no interest to a replica of an older release, and survive its reset', async () => {
    const replica = open();
    await pass(1);
    await fixture.scripts().reset(() => undefined);
    await fixture.scripts().mend(new Map());
    expect(await client.hlen(KEY)).to.equal(3);
    expect(await historyOf(replica)).to.have.property('uptime', 1);
  });
});
