/** The history in Redis: one for all replicas, written once, and kept whatever becomes of Redis. */

import { once } from 'node:events';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { HistoryPoint, HistoryPoints, HistoryStep } from '../../../src/registry/history-record.ts';
import { RedisHistory } from '../../../src/registry/redis/redis-history.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { saveRedis } from '../../support/redis-losses.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Replicas tell a minute within so many ms of its end, where time passes sweep by sweep. */
const TOLD_WITHIN_MS = 10_000;
const MINUTES = '{gsls}:history:minute';
const HOURS = '{gsls}:history:hour';

needs('redis-server').describe('the history in Redis', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;
  let startedAt: number;

  beforeEach(() => {
    ({ client, clock } = fixture);
    startedAt = clock.now();
  });

  /** So many minutes pass, and what was told of them is known everywhere. */
  async function pass(minutes: number): Promise<void> {
    await clock.advance(minutes * MINUTE_MS + 1 - (clock.now() % MINUTE_MS) + TOLD_WITHIN_MS);
  }

  /** The minutes since the start of the test of which there are points. */
  function minutesOf(points: HistoryPoints): number[] {
    return points.map(({ time }) => (time - startedAt) / MINUTE_MS);
  }

  async function expectSame(replicas: readonly RedisRegistry[], expected?: HistoryPoints): Promise<void> {
    for (const step of ['minute', 'hour'] as const) {
      const stored = await storedIn(client, step);
      for (const each of replicas) expect(await each.history.points(step)).to.deep.equal(stored);
      if (step === 'minute' && expected !== undefined) expect(stored).to.deep.equal(expected);
    }
  }

  it('has each minute once, and is the same on three replicas', async () => {
    const replicas = [await fixture.open(), await fixture.open(), await fixture.open()];
    await broadcastTo(replicas[0]!, aGameServer({ players: 5 }));
    await pass(3);
    await pass(1);
    expect(minutesOf(await storedIn(client, 'minute'))).to.deep.equal([0, 1, 2, 3]);
    await expectSame(replicas);
  });

  it('takes over what another replica has told first', async () => {
    const registry = await fixture.open();
    const told = pointAt(startedAt, 77);
    await fixture.scripts().exchangeHistory('minute', [told], -1);
    await pass(1);
    expect(await registry.history.points('minute')).to.deep.equal([told]);
    expect(await storedIn(client, 'minute')).to.deep.equal([told]);
  });

  it('is whole on a replica that joins, however many points there are', async () => {
    const points = Array.from({ length: 2000 }, (_, i) => pointAt(startedAt - (2000 - i) * MINUTE_MS, i));
    const hours = Array.from({ length: 1200 }, (_, i) => pointAt(startedAt - (1200 - i) * HOUR_MS, i));
    await seed('minute', points);
    await seed('hour', hours);
    const registry = await fixture.open();
    expect(await registry.history.points('minute')).to.deep.equal(points);
    expect(await registry.history.points('hour')).to.deep.equal(hours);
  });

  async function seed(step: HistoryStep, points: HistoryPoints): Promise<void> {
    const texts = points.flatMap(({ time, servers, players, peak }) => [
      time,
      `${time} ${servers} ${players} ${peak}`,
    ]);
    await client.zadd(step === 'minute' ? MINUTES : HOURS, ...texts);
  }

  it('has the latest 2,880 minutes and 9,600 hours, in Redis and on the replica', async () => {
    await seed('minute', timesBefore(MINUTE_MS, 2890));
    await seed('hour', timesBefore(HOUR_MS, 9610));
    const registry = await fixture.open();
    await pass(1);
    const [minutes, hours] = [await registry.history.points('minute'), await registry.history.points('hour')];
    expect([minutes.length, hours.length]).to.deep.equal([2880, 9600]);
    expect(minutesOf(minutes).at(-1)).to.equal(0);
    await expectSame([registry]);
  });

  function timesBefore(stepMs: number, count: number): HistoryPoints {
    return Array.from({ length: count }, (_, i) => pointAt(startedAt - (count - i) * stepMs, i));
  }

  describe('is complete again', () => {
    for (const [what, lose] of Object.entries({
      'is emptied': () => client.flushall(),
      'loses both keys': () => client.del(MINUTES, HOURS),
      'loses some minutes': () => client.zremrangebyrank(MINUTES, 1, 2),
      'loses the latest minutes': () => client.zremrangebyrank(MINUTES, -2, -1),
      'loses the hours': () => client.del(HOURS),
    })) {
      it(`after Redis ${what}`, async () => {
        const replicas = [await fixture.open(), await fixture.open()];
        await seed('hour', timesBefore(HOUR_MS, 700));
        clock.jump(57 * MINUTE_MS);
        await pass(4);
        const before = { minute: await storedIn(client, 'minute'), hour: await storedIn(client, 'hour') };
        expect([before.minute.length, before.hour.length]).to.deep.equal([4, 701]);
        await lose();
        await pass(1);
        await pass(1);
        const joined = await fixture.open();
        await expectSame([...replicas, joined]);
        for (const step of ['minute', 'hour'] as const) {
          const points = await joined.history.points(step);
          expect(points.slice(0, before[step].length)).to.deep.equal(before[step]);
        }
      });
    }

    it('after Redis went back to an earlier state, without a minute told twice', async () => {
      const replicas = [await fixture.open(), await fixture.open()];
      await pass(2);
      const rollBack = await saveRedis(client);
      await pass(2);
      const before = await storedIn(client, 'minute');
      await rollBack();
      await pass(1);
      await pass(1);
      await expectSame(replicas);
      expect((await storedIn(client, 'minute')).slice(0, before.length)).to.deep.equal(before);
    });

    for (const [what, damage] of Object.entries({
      'of another type': () => client.set(MINUTES, 'x'),
      'full of nonsense': async () => {
        for (const [score, member] of [
          ['-inf', 'x'],
          ['-7', ''],
          ['0', '0 1 1'],
          [startedAt, 'nan 1 1 1'],
          [startedAt, `${startedAt} 1 1 -1`],
          [startedAt, `${startedAt} 1 99999999999999999999 1`],
          [startedAt + 1, `${startedAt + 1} 1 1 1`],
          [startedAt + 5, `${startedAt} 8 8 8`],
          ['+inf', `${startedAt} 9 9 9`],
        ] as const)
          await client.zadd(MINUTES, score, member);
      },
      'with points of the far future': () =>
        client.zadd(MINUTES, startedAt + 9e7 * 60, `${startedAt + 9e7 * 60} 1 1 1`),
      'with a second point of a minute': () => client.zadd(MINUTES, startedAt, `${startedAt} 9 9 9`),
    })) {
      it(`where another program leaves the minutes ${what}`, async () => {
        const replicas = [await fixture.open(), await fixture.open()];
        await broadcastTo(replicas[0]!, aGameServer({ players: 5 }));
        await pass(2);
        const before = await storedIn(client, 'minute');
        await damage();
        await pass(1);
        await pass(1);
        const after = await storedIn(client, 'minute');
        expect(after.slice(0, before.length)).to.deep.equal(before);
        expect(await client.zcard(MINUTES)).to.equal(after.length);
        await expectSame([...replicas, await fixture.open()]);
      });
    }
  });

  it('is not told again by a replica that does not write back', async () => {
    const registry = await fixture.open({ writeBack: false });
    await pass(2);
    await client.del(MINUTES);
    await pass(1);
    await pass(1);
    expect(minutesOf(await storedIn(client, 'minute'))[0]).to.be.above(1);
    await expectSame([registry]);
  });

  it('stays when the registry is emptied on purpose', async () => {
    const registry = await fixture.open();
    await pass(2);
    const before = await storedIn(client, 'minute');
    await fixture.scripts().reset(() => undefined);
    await pass(1);
    expect((await registry.history.points('minute')).slice(0, before.length)).to.deep.equal(before);
  });

  describe('of a replica that is cut off from Redis', () => {
    let own: Redis;
    beforeEach(() => (own = client.duplicate({ retryStrategy: () => null })));
    afterEach(() => own.disconnect());

    async function cutOff(): Promise<void> {
      const ended = once(own, 'end');
      own.disconnect();
      await ended;
    }

    it('is served, has then what was told meanwhile, and goes on', async () => {
      const registry = await fixture.open({ client: own });
      await pass(2);
      const before = await registry.history.points('minute');
      await cutOff();
      clock.jump(3 * MINUTE_MS);
      expect((await registry.list()).staleSince).to.be.a('number');
      expect(await registry.history.points('minute')).to.deep.equal(before);
      const ofAnother = [3, 4].map((minute) => pointAt(startedAt + minute * MINUTE_MS, 9));
      await fixture.scripts().exchangeHistory('minute', ofAnother, -1);
      await own.connect();
      await pass(2);
      await expectSame([registry]);
      expect(minutesOf(await registry.history.points('minute'))).to.deep.equal([0, 1, 3, 4, 5, 6]);
    });

    it('is refused before it was ever loaded', async () => {
      await own.ping();
      await cutOff();
      const registry = await fixture.open({ client: own }, 10);
      const error = await registry.history.points('minute').catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'registry_unavailable' });
      await own.connect();
      await fixture.open();
      await pass(2);
      await expectSame([registry]);
    });
  });
});

describe('the keeper of the history', () => {
  it('goes by the clock of Redis, whatever that of the replica says', async () => {
    const clock = new ManualClock();
    const told: HistoryPoint[] = [];
    const keeper = new RedisHistory({
      scripts: {
        async exchangeHistory(_step, points) {
          told.push(...points);
          return { now: clock.now() + HOUR_MS, count: told.length, points, nextAfter: undefined };
        },
      },
      breaker: { run: (operation) => operation() },
      intervalMs: 1000,
      writesBack: true,
      now: () => clock.now(),
    });
    const startedAt = clock.now();
    const snapshot = { count: 1, players: 5 };
    clock.every(1000, () => keeper.sample(snapshot));
    await clock.advance(MINUTE_MS + TOLD_WITHIN_MS);
    expect(told).to.deep.equal([{ time: startedAt + HOUR_MS, servers: 1, players: 5, peak: 5 }]);
  });
});

function pointAt(time: number, servers: number): HistoryPoint {
  return { time, servers, players: 2 * servers, peak: 3 * servers };
}

async function storedIn(client: Redis, step: HistoryStep): Promise<HistoryPoints> {
  const texts = await client.zrange(`{gsls}:history:${step}`, 0, -1);
  return texts.map((text) => {
    const [time, servers, players, peak] = text.split(' ').map(Number);
    return { time: time!, servers: servers!, players: players!, peak: peak! };
  });
}
