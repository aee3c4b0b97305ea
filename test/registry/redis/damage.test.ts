/** Whatever another program does to the keys of the registry: the list is complete again soon, and takes writes. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { createGameServerId, type GameServerId } from '../../../src/model/game-server.ts';
import { withBan } from '../../../src/registry/decisions/decisions.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { carryOut, damage } from '../../support/damage.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent } from '../../support/redis-losses.ts';
import { runs } from '../../support/runs.ts';
import { useReplicas } from '../../support/use-replicas.ts';
import { Stopwatch } from '../../support/stopwatch.ts';

/** Several times what passes between two polls of a replica. */
const LOSS_NOTICE_MS = 25;
/** What was once not healed: another program does one after the other. */
const FOUND = [
  [
    ['HDEL', 'server:#0', 'host'],
    ['SET', 'addresses', 'x'],
  ],
  [
    ['ZADD', 'removed', '9007199254740992', '#4'],
    ['HSET', 'server:#4', 'host', ''],
  ],
].map((damages): [Step[]] => [damages.map((each) => ({ damage: each, look: false, joins: false }))]);
/** "Within two seconds of the last damage." */
const HEALED_WITHIN_MS = 2000;

interface Step {
  readonly damage: readonly string[];
  readonly look: boolean;
  readonly joins: boolean;
}

function everyFewMs(_intervalMs: number, task: () => Promise<void>): () => void {
  const timer = setInterval(() => void task(), 5);
  return () => clearInterval(timer);
}

/** Resolves once a current list of each replica has all of them, which is in time. */
async function expectHealed(replicas: readonly RedisRegistry[], expected: readonly string[]): Promise<void> {
  const stopwatch = new Stopwatch();
  const wanted = expected.toSorted().join();
  for (const replica of replicas) {
    let ids = await currentIdsOn(replica);
    while (ids?.join() !== wanted && stopwatch.ms < HEALED_WITHIN_MS) {
      await delay(5);
      ids = await currentIdsOn(replica);
    }
    expect(ids, 'the ids on a current list').to.deep.equal(expected.toSorted());
  }
  stopwatch.stop();
}

/** Each entry with an even port is claimed. */
function callerOf(port: number): Caller {
  return { address: '203.0.113.7', proof: port % 2 === 0 ? 'token' : 'none' };
}

function settingsOf({ secret, moderation }: RedisRegistry): unknown[] {
  return [secret.text, moderation.decided.bans.map(({ name }) => name)];
}

/** Resolves once each replica has this secret and the ban, which is in time. */
async function expectSameSettings(replicas: readonly RedisRegistry[], secret: string): Promise<void> {
  const stopwatch = new Stopwatch();
  const wanted = JSON.stringify([secret, ['casino']]);
  while (
    stopwatch.ms < HEALED_WITHIN_MS &&
    replicas.some((each) => JSON.stringify(settingsOf(each)) !== wanted)
  )
    await delay(5);
  stopwatch.stop();
  for (const replica of replicas) expect(settingsOf(replica)).to.deep.equal([secret, ['casino']]);
}

/** Claimed entries answer to their token alone, the others also without it. */
async function expectKept(replica: RedisRegistry, ids: readonly GameServerId[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const port = index + 1;
    const ping = replica.ping(id, aGameServer({ port }), { ...callerOf(port), proof: 'none' });
    expect(await ping, `a ping of entry ${index} without a token`).to.equal(
      callerOf(port).proof === 'token' ? 'not_owner' : 'refreshed',
    );
  }
}

async function currentIdsOn(replica: RedisRegistry): Promise<string[] | undefined> {
  const listing = await replica.list().catch(() => undefined);
  if (listing === undefined || listing.staleSince !== undefined) return undefined;
  return (await bodyOf(listing)).servers.map(({ id }) => id).toSorted();
}

needs('redis-server').describe('damaged keys', () => {
  const fixture = useReplicas();
  let client: Redis;
  let wrongTypes: string[];

  beforeEach(() => {
    ({ client } = fixture);
    wrongTypes = [];
  });

  /** It looks at Redis by itself, as the service does, though its clock is stopped. */
  const openReplica = async (): Promise<RedisRegistry> => {
    const looking = { now: () => fixture.clock.now(), every: everyFewMs };
    return fixture.open({
      lossNoticeMs: LOSS_NOTICE_MS,
      clock: looking,
      events: { onWrongType: (name) => wrongTypes.push(name) },
    });
  };

  it('leave the list complete and writable, whatever was done to them', async function () {
    this.timeout(10 * 60_000);
    const step = fc.record({ damage, look: fc.boolean(), joins: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        await client.flushall();
        const replicas = [await openReplica(), await openReplica()];
        const ids: GameServerId[] = [];
        try {
          for (let port = 1; port <= 6; port += 1) {
            fixture.clock.jump(1);
            const id = createGameServerId();
            await replicas[port % 2]!.broadcast(id, aGameServer({ port }), callerOf(port));
            ids.push(id);
          }
          await replicas[0]!.moderation.decide((decided) => withBan(decided, aBan({ name: 'casino' })));
          await Promise.all(replicas.map((each) => each.list()));
          const secret = replicas[0]!.secret.text;
          for (const each of steps) {
            fixture.clock.jump(1);
            await carryOut(client, each.damage, ids);
            if (each.joins) replicas.push(await openReplica());
            if (each.look) await replicas[0]!.list();
          }
          fixture.clock.jump(1);
          replicas.push(await openReplica());
          await expectHealed(replicas, ids);

          for (const [index, each] of ids.entries()) {
            fixture.clock.jump(1);
            const port = index + 1;
            const ping = replicas[index % 2]!.ping(each, aGameServer({ port, players: 9 }), callerOf(port));
            expect(await ping).to.equal('refreshed');
          }
          ids.push(await broadcastTo(replicas[1]!, aGameServer({ port: 7 })));
          await broadcastTo(replicas[1]!, aGameServer({ name: 'casino' }));
          replicas.push(await openReplica());
          await expectHealed(replicas, ids);
          await expectSameSettings(replicas, secret!);
          await expectKept(replicas[1]!, ids.slice(0, 6));
        } finally {
          await Promise.all(replicas.map((each) => each.close()));
        }
      }),
      {
        numRuns: runs(2) + FOUND.length,
        examples: FOUND,
      },
    );
  });

  it('of a wrong type are named once, and deleted', async () => {
    const replicas = [await openReplica(), await openReplica()];
    const id = await broadcastTo(replicas[0]!, aGameServer());
    await Promise.all(replicas.map((each) => each.list()));
    await client.set('{gsls}:servers', 'x');
    await expectHealed(replicas, [id]);
    await client.set(`{gsls}:server:${id}`, 'x');
    expect(await replicas[1]!.ping(id, aGameServer({ players: 4 }))).to.equal('refreshed');
    await expectHealed(replicas, [id]);
    expect(wrongTypes).to.deep.equal(['{gsls}:servers', `{gsls}:server:${id}`]);
    await expectConsistent(client);
  });

  it('of the changes are mended once, however many entries change afterwards', async () => {
    const replicas = [await openReplica(), await openReplica()];
    const ports = [1, 2, 3, 4];
    const ids: GameServerId[] = [];
    for (const port of ports) ids.push(await broadcastTo(replicas[0]!, aGameServer({ port })));
    await Promise.all(replicas.map((each) => each.list()));
    fixture.clock.jump(1);
    await client.set('{gsls}:changes', 'x');
    await expectHealed(replicas, ids);
    await expectConsistent(client);
    const epoch = await client.hget('{gsls}:state', 'epoch');
    for (const [index, id] of ids.entries()) {
      fixture.clock.jump(1);
      expect(await replicas[index % 2]!.ping(id, aGameServer({ port: ports[index]!, players: 9 }))).to.equal(
        'refreshed',
      );
      await expectHealed(replicas, ids);
    }
    expect(await client.hget('{gsls}:state', 'epoch')).to.equal(epoch);
  });

  for (const score of ['-inf', '0', '+inf'])
    it(`of a change that no replica reads are mended with the next change: ${score}`, async () => {
      const replicas = [await openReplica(), await openReplica()];
      const ids = [
        await broadcastTo(replicas[0]!, aGameServer({ port: 1 })),
        await broadcastTo(replicas[0]!, aGameServer({ port: 2 })),
      ];
      await Promise.all(replicas.map((each) => each.list()));
      await client.zadd('{gsls}:changes', score, ids[0]!);
      fixture.clock.jump(1);
      await replicas[1]!.ping(ids[1]!, aGameServer({ port: 2, players: 9 }));
      await expectHealed(replicas, ids);
      await expectConsistent(client);
    });

  for (const key of ['servers', 'changes', 'removed', 'addresses', 'clients', 'expired', 'state'])
    it(`of a wrong type keep no game server from its remove: ${key}`, async () => {
      const replicas = [await openReplica(), await openReplica()];
      const stays = await broadcastTo(replicas[0]!, aGameServer({ port: 1 }));
      const goes = await broadcastTo(replicas[0]!, aGameServer({ port: 2 }));
      await Promise.all(replicas.map((each) => each.list()));
      fixture.clock.jump(1);
      await client.set(`{gsls}:${key}`, 'x');
      expect(await replicas[1]!.remove(goes, aGameServer().ip)).to.equal('removed');
      await expectHealed(replicas, [stays]);
    });

  it('of one record are restored by its ping, without the other replicas', async () => {
    const replicas = [await openReplica(), await openReplica()];
    const id = await broadcastTo(replicas[0]!, aGameServer());
    await Promise.all(replicas.map((each) => each.list()));
    const { snapshot } = await replicas[1]!.list();
    for (const lose of [
      () => client.del(`{gsls}:server:${id}`),
      () => client.hdel(`{gsls}:server:${id}`, 'registered_at'),
      () => client.hset(`{gsls}:server:${id}`, 'version', 'x'),
    ]) {
      fixture.clock.jump(1);
      // Neither has a change to look at.
      await Promise.all(replicas.map((each) => each.list()));
      await lose();
      expect(await replicas[1]!.ping(id, aGameServer())).to.equal('refreshed');
      expect((await replicas[1]!.list()).snapshot.epoch).to.equal(snapshot.epoch);
    }
    await expectHealed(replicas, [id]);
    await expectConsistent(client);
  });

  for (const field of ['name', 'ip'] as const)
    it(`of one field are put right by a ping that checks them all, which one in many does: ${field}`, async () => {
      const replicas = [await openReplica(), await openReplica()];
      const gameServer = aGameServer();
      const id = await broadcastTo(replicas[0]!, gameServer);
      await Promise.all(replicas.map((each) => each.list()));
      await client.hset(`{gsls}:server:${id}`, field, 'theirs');
      const actualRandom = Math.random;
      try {
        for (const [random, value] of [
          [0.5, 'theirs'],
          [0, gameServer[field]],
        ] as const) {
          Math.random = () => random;
          fixture.clock.jump(1);
          expect(await replicas[1]!.ping(id, gameServer)).to.equal('refreshed');
          expect(await client.hget(`{gsls}:server:${id}`, field)).to.equal(value);
        }
      } finally {
        Math.random = actualRandom;
      }
      await expectHealed(replicas, [id]);
    });

  it('take no entry off that was restored while the replica that found its damage was paused', async () => {
    const registry = await fixture.open();
    const id = await broadcastTo(registry, aGameServer());
    await registry.list();
    const epoch = (await client.hget('{gsls}:state', 'epoch'))!;
    await client.hset(`{gsls}:server:${id}`, 'port', 'x');
    const scripts = fixture.scripts();
    await scripts.mend(new Map([[id, epoch]]));
    expect(await client.exists(`{gsls}:server:${id}`)).to.equal(0);
    fixture.clock.jump(1);
    await registry.list();
    expect(await client.exists(`{gsls}:server:${id}`)).to.equal(1);
    await scripts.mend(new Map([[id, epoch]]));
    expect(await client.exists(`{gsls}:server:${id}`)).to.equal(1);
  });

  it('bring back no entry that was removed', async () => {
    const replicas = [await openReplica(), await openReplica()];
    const [id, gone] = [
      await broadcastTo(replicas[0]!, aGameServer()),
      await broadcastTo(replicas[0]!, aGameServer()),
    ];
    await Promise.all(replicas.map((each) => each.list()));
    fixture.clock.jump(1);
    await replicas[0]!.remove(gone, aGameServer().ip);
    await client.del('{gsls}:state', '{gsls}:removed');
    await expectHealed(replicas, [id]);
    expect(await replicas[1]!.ping(gone, aGameServer())).to.equal('unknown');
  });

  it('bring back no entry whose removal one replica has slept through, and only another remembers', async () => {
    // It looks at Redis when it is asked.
    const asleep = await fixture.open({ lossNoticeMs: 10 * LOSS_NOTICE_MS });
    const awake = await openReplica();
    const [id, gone] = [await broadcastTo(awake, aGameServer()), await broadcastTo(awake, aGameServer())];
    await Promise.all([asleep.list(), awake.list()]);
    fixture.clock.jump(1);
    await awake.remove(gone, aGameServer().ip);
    await awake.list();
    await client.del('{gsls}:removed');
    await asleep.list();
    await expectHealed([awake, asleep], [id]);
    expect(await asleep.ping(gone, aGameServer())).to.equal('unknown');
    await expectConsistent(client);
  });
});
