/** What only a whole registry can allow is not allowed after a loss before all replicas have told what they knew. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { createGameServerId, type GameServer, type GameServerId } from '../../../src/model/game-server.ts';
import { NO_QUOTAS } from '../../../src/registry/registry-rules.ts';
import type { RedisRegistryOptions } from '../../../src/registry/redis/redis-internals.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { PATIENT } from '../../support/patient.ts';
import { expectConsistent, saveRedis } from '../../support/redis-losses.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const OWNER: Caller = { address: '203.0.113.7', proof: 'token' };
const THIEVES: readonly Caller[] = [
  { address: '192.0.2.66', proof: 'none' },
  { address: '192.0.2.66', proof: 'token' },
];
/** Long enough for all replicas of a test to look at Redis. */
const LOSS_NOTICE_MS = 100;
const QUOTAS = { ...NO_QUOTAS, maxServersPerAddress: 2 };

needs('redis-server').describe('before Redis has back what it lost', () => {
  const fixture = useReplicas();
  let client: Redis;
  let asked: RedisRegistry;
  let other: RedisRegistry;

  beforeEach(() => ({ client } = fixture));

  const later = (): void => fixture.clock.jump(1);

  async function openTwo(options: Partial<RedisRegistryOptions>): Promise<void> {
    const rules = { lossNoticeMs: LOSS_NOTICE_MS, ...options };
    asked = await fixture.open(rules);
    other = await fixture.open(rules);
  }

  async function list(caller: Caller, overrides: Partial<GameServer> = {}): Promise<GameServerId> {
    const id = createGameServerId();
    expect(await asked.broadcast(id, aGameServer(overrides), caller)).to.equal('listed');
    later();
    return id;
  }

  async function bothLook(): Promise<void> {
    await Promise.all([asked.list(), other.list()]);
    later();
  }

  /** What the write comes to that meets the empty Redis first, while the other replica notices the loss. */
  async function afterWipe<T>(write: () => Promise<T>): Promise<T> {
    await client.flushall();
    later();
    const writing = write();
    await delay(LOSS_NOTICE_MS / 4);
    void other.list();
    const outcome = await writing;
    later();
    await bothLook();
    await expectConsistent(client);
    return outcome;
  }

  /** One entry is back already, and the others are not. */
  async function wipeAllBut(id: GameServerId): Promise<void> {
    const entry = asked.known(id)!;
    await client.flushall();
    later();
    await fixture.scripts().restore({ version: 0, tombstones: [], listed: [entry] });
  }

  async function expectListed(...ids: GameServerId[]): Promise<void> {
    for (const replica of [asked, other]) {
      const entries = [...(await replica.entries())];
      expect(entries.map(({ id }) => id)).to.have.members(ids);
    }
  }

  for (const thief of THIEVES) {
    const how = thief.proof === 'none' ? 'without a token' : 'with a claim';
    for (const who of ['each replica', 'the other replica alone'] as const) {
      it(`a claimed address that ${who} knows of is taken by no broadcast ${how}`, async () => {
        await openTwo({ uniqueAddress: true });
        if (who === 'each replica') {
          const id = await list(OWNER);
          await bothLook();
          const outcome = await afterWipe(() => asked.broadcast('thief', aGameServer(), thief));
          expect(outcome).to.have.property('is', 'address_taken');
          await expectListed(id);
          expect(await other.ping(id, aGameServer(), OWNER)).to.equal('refreshed');
          return;
        }
        await bothLook();
        [asked, other] = [other, asked];
        const id = createGameServerId();
        await other.broadcast(id, aGameServer(), OWNER);
        const outcome = await afterWipe(() => asked.broadcast('thief', aGameServer(), thief));
        expect(outcome).to.have.property('is', 'address_taken');
        await expectListed(id);
      });
    }

    it(`a claimed address comes back to its entry, though a broadcast ${how} has met an older Redis`, async () => {
      await openTwo({ uniqueAddress: true });
      await bothLook();
      const rollBack = await saveRedis(client);
      const id = await list(OWNER);
      await bothLook();
      await rollBack();
      later();
      // No replica has noticed yet; or one of 0.8 was asked, which lets it in after a wipe, too.
      await asked.broadcast('thief', aGameServer(), thief);
      later();
      await bothLook();
      await bothLook();
      await expectListed(id);
      expect(await asked.ping(id, aGameServer(), OWNER)).to.equal('refreshed');
      await expectConsistent(client, { uniqueAddress: true });
    });
  }

  it('a claimed address is taken by no ping that moves there', async () => {
    await openTwo({ uniqueAddress: true });
    const id = await list(OWNER);
    const mover = await list(THIEVES[1]!, { port: 2 });
    await bothLook();
    await wipeAllBut(mover);
    const moving = asked.ping(mover, aGameServer(), THIEVES[1]);
    expect(await moving).to.have.property('is', 'address_taken');
    await bothLook();
    await expectListed(id, mover);
  });

  it('a quota holds', async () => {
    await openTwo({ quotas: QUOTAS });
    const [spammer] = THIEVES;
    const ids = [await list(spammer!), await list(spammer!)];
    await bothLook();
    const outcomes = await afterWipe(() =>
      Promise.all([1, 2, 3].map((n) => asked.broadcast(`spam ${n}`, aGameServer(), spammer))),
    );
    for (const outcome of outcomes) expect(outcome).to.have.property('is', 'quota_exceeded');
    await expectListed(...ids);
  });

  it('a quota holds for a game server that moves to another client', async () => {
    await openTwo({ quotas: QUOTAS });
    const [spammer] = THIEVES;
    const ids = [await list(spammer!), await list(spammer!), await list(OWNER)];
    await bothLook();
    const moved: Caller = { ...spammer!, proof: 'token' };
    await wipeAllBut(ids[2]!);
    const moving = asked.rebroadcast(ids[2]!, aGameServer(), moved);
    expect(await moving).to.have.property('is', 'quota_exceeded');
    await bothLook();
    await expectListed(...ids);
  });

  it('the id of an entry that was removed is not listed again', async () => {
    await openTwo({});
    const id = await list(OWNER);
    await asked.remove(id, aGameServer().ip, OWNER);
    later();
    await bothLook();
    expect(await afterWipe(() => asked.broadcast(id, aGameServer()))).to.equal('unlisted');
    await expectListed();
  });

  it('a repeated broadcast changes nothing of its entry, which stays in its place', async () => {
    await openTwo({});
    const [id, next] = [await list(THIEVES[0]!), await list(OWNER)];
    await bothLook();
    const { registeredVersion } = asked.known(id)!;
    const repeated = aGameServer({ name: 'other' });
    expect(await afterWipe(() => asked.broadcast(id, repeated))).to.equal('listed');
    await expectListed(id, next);
    expect(asked.known(id)).to.include({ registeredVersion, name: 'A server' });
  });

  it('an entry that another has replaced a moment ago does not come back', async () => {
    await openTwo({});
    const hidden = createUnlistedId();
    await asked.broadcast(hidden, aGameServer(), OWNER);
    later();
    await bothLook();
    await asked.broadcast('new', aGameServer(), OWNER, { id: hidden, proof: 'token' });
    later();
    await client.flushall();
    later();
    await bothLook();
    await bothLook();
    await expectListed('new');
    await expectConsistent(client);
  });

  it('an entry whose address a ping has taken a moment ago does not come back', async () => {
    await openTwo({ uniqueAddress: true });
    const caller = THIEVES[0]!;
    const [moves] = [await list(caller, { port: 1 }), await list(caller, { port: 2 })];
    await bothLook();
    expect(await asked.ping(moves, aGameServer({ port: 2 }), caller)).to.equal('refreshed');
    later();
    await client.flushall();
    later();
    await bothLook();
    await bothLook();
    await expectListed(moves);
    await expectConsistent(client);
  });

  it('a broadcast gets registry_unavailable if that takes too long', async () => {
    const deadlines = { ...PATIENT, restorationMs: 2 * LOSS_NOTICE_MS };
    asked = await fixture.open({ lossNoticeMs: LOSS_NOTICE_MS, deadlines });
    await client.hset('{gsls}:state', 'loss', 'one');
    await client.hset('{gsls}:state', 'restorer:another', String(fixture.clock.now()));
    await client.hdel('{gsls}:state', 'wholeAt');
    const refused = await asked.broadcast('id', aGameServer()).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'registry_unavailable');
    expect(await client.zcard('{gsls}:servers')).to.equal(0);
  });

  it('a replica without a list does not say who is banned', async () => {
    const options = { lossNoticeMs: LOSS_NOTICE_MS };
    asked = await fixture.open(options);
    const ban = aBan({ address: '192.0.2.66' });
    await asked.moderation.decide((decided) => ({ ...decided, bans: [ban] }));
    const joining = fixture.open(options, 0);
    const about = { ...aGameServer(), id: 'id', client: '192.0.2.66' };
    const joined = await joining;
    expect(() => joined.moderation.findBan(about))
      .to.throw()
      .with.property('code', 'registry_unavailable');
    await joined.list();
    expect(joined.moderation.findBan(about)).to.deep.equal(ban);
  });

  it('the first start of all on an empty Redis lists a broadcast with one call', async () => {
    const calls: string[] = [];
    asked = await fixture.open({
      lossNoticeMs: LOSS_NOTICE_MS,
      events: { onCall: (name) => calls.push(name) },
    });
    calls.length = 0;
    await broadcastTo(asked, aGameServer());
    expect(calls).to.deep.equal(['broadcast']);
  });
});
