/**
 * What quotas count is what the records say, after any sequence of writes, losses, and a replica that does not count.
 */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { networkNumber } from '../../../src/registry/redis/client-network.ts';
import { RECOUNT_LIMIT } from '../../../src/registry/redis/scripts/script-constants.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { saveRedis } from '../../support/redis-losses.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { runs } from '../../support/runs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const { ttlMs, reviveWindowMs, sweepIntervalMs } = lifetime;
const RECORD_PREFIX = '{gsls}:server:';
const NATIVE = { ttlMs: 30_000, silentBelowMs: 10_000 };
/** Nothing reaches them, but all is counted. */
const quotas = { maxServers: 1000, maxServersPerAddress: 1000, isExempt: () => false };
const CLIENTS = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2', ''] as const;
/** A part of the entries is counted at once; what one call finds the next one corrects. */
const SWEEPS_TO_RECOUNT = 3;

const replica = fc.nat({ max: 1 });
const id = fc.nat({ max: 5 }).map((n) => `id-${n}`);
const address = fc.constantFrom(...CLIENTS);
const port = fc.integer({ min: 1, max: 3 });
const write = fc.record({
  kind: fc.constantFrom('broadcast' as const, 'ping' as const, 'rebroadcast' as const, 'remove' as const),
  replica,
  id,
  address,
  port,
});
/** It has at most three KiB. */
const publication = fc.record({
  kind: fc.constant('publish' as const),
  replica,
  id: fc.nat({ max: 2 }).map((n) => `native-${n}`),
  address: fc.constantFrom(CLIENTS[0], CLIENTS[1]),
  document: fc.integer({ min: 1, max: 3000 }).map((length) => 'd'.repeat(length)),
  port,
});
const operation = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 4, arbitrary: publication },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.constantFrom(1, ttlMs / 2, 2 * ttlMs, reviveWindowMs),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('save' as const, 'roll back' as const, 'wipe' as const) }),
  },
  /** What a replica does that knows nothing of quotas, in the place of what one does that does. */
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('uncount' as const, 'keep counting' as const, 'forget' as const),
      id,
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** The second replica counts an entry that the first one then restores as one without a client. */
const RESTORED_WITHOUT_ITS_CLIENT: Operation[] = [
  { kind: 'broadcast', replica: 0, id: 'id-2', address: '', port: 1 },
  { kind: 'remove', replica: 1, id: 'id-0', address: '192.0.2.1', port: 1 },
  { kind: 'wipe' },
  { kind: 'remove', replica: 0, id: 'id-0', address: '192.0.2.1', port: 1 },
  { kind: 'wipe' },
  { kind: 'ping', replica: 1, id: 'id-2', address: '192.0.2.1', port: 2 },
];

needs('redis-server').describe('the counts of quotas', () => {
  const fixture = useReplicas();

  it('keep an entry for the network that it moved to after it was found to count wrongly', async () => {
    const registry = await fixture.open({ quotas });
    await registry.broadcast('id', aGameServer(), { address: '192.0.2.1', proof: 'token' });
    const scripts = fixture.scripts();
    await fixture.client.zadd('{gsls}:clients', 1, 'id');
    const found = await scripts.recount({ rank: 0, miscounted: [] });
    expect(found.miscounted).to.deep.equal([['id', '192.0.2.1', '1']]);
    await registry.rebroadcast('id', aGameServer(), { address: '192.0.2.2', proof: 'token' });
    await scripts.recount(found);
    expect(await fixture.client.zscore('{gsls}:clients', 'id')).to.equal(networkNumber('192.0.2.2'));
  });

  it('are put right part by part, of what is listed and of what can be revived', async () => {
    const { client, clock } = fixture;
    const registry = await fixture.open({ quotas, holdMassExpiry: false });
    const caller = { address: '192.0.2.1', proof: 'none' } as const;
    const ids = Array.from({ length: 2 * RECOUNT_LIMIT + 2 }, (_, n) => `id-${n}`);
    const [revivable, listed] = [ids.slice(0, RECOUNT_LIMIT + 1), ids.slice(RECOUNT_LIMIT + 1)];
    for (const some of [revivable, listed]) {
      await clock.advance(2 * ttlMs);
      await Promise.all(some.map((each) => registry.broadcast(each, aGameServer(), caller)));
    }
    await client.del('{gsls}:clients', '{gsls}:expired');
    await client.zadd('{gsls}:clients', ...ids.flatMap((each) => [1, `${each}, gone`]));
    await clock.advance(9 * sweepIntervalMs);
    expect(await client.zrange('{gsls}:clients', 0, -1)).to.have.members(ids);
    expect(await client.zrange('{gsls}:expired', 0, -1)).to.have.members(revivable);
  });

  for (const uniqueAddress of [false, true]) {
    it(`are what the records say, ${uniqueAddress ? 'with' : 'without'} unique addresses`, async function () {
      this.timeout(10 * 60_000);
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 25, size: 'max' }), async (steps) => {
          const { client, clock } = fixture;
          await client.flushall();
          const open = (): Promise<RedisRegistry> =>
            fixture.open({ uniqueAddress, quotas, lossNoticeMs: 10 });
          const replicas = [await open(), await open()];
          let rollBack = (): Promise<unknown> => client.flushall();
          try {
            for (const step of steps) {
              clock.jump(1);
              if (step.kind === 'advance') await clock.advance(step.ms);
              else if ('replica' in step) await carryOut(replicas[step.replica]!, step);
              else if ('id' in step) await actLikeAnOlderReplica(client, clock.now(), step);
              else if (step.kind === 'save') rollBack = await saveRedis(client);
              else await (step.kind === 'wipe' ? client.flushall() : rollBack());
            }
            await Promise.all(replicas.map((each) => each.list()));
            await clock.advance(SWEEPS_TO_RECOUNT * sweepIntervalMs);
            await expectCounted(client, clock.now());
          } finally {
            await Promise.all(replicas.map((each) => each.close()));
          }
        }),
        { numRuns: runs(4), examples: [[RESTORED_WITHOUT_ITS_CLIENT]] },
      );
    });
  }
});

async function carryOut(
  registry: RedisRegistry,
  step: Extract<Operation, { readonly replica: number }>,
): Promise<void> {
  const gameServer = aGameServer({ port: step.port });
  if (step.kind === 'publish') {
    const state = {
      protocol: 'played',
      lifetime: NATIVE,
      link: `a://${step.address}`,
      document: step.document,
    };
    // After a loss an outcome may not be known.
    await registry.nativeEntries
      .publish(step.id, { ...state, describe: () => gameServer }, { address: step.address })
      .catch(() => undefined);
    return;
  }
  // Of an entry without a client no request says so: it is one of a release that knew none.
  const caller: Caller | undefined =
    step.address === '' ? undefined : { address: step.address, proof: 'token' };
  const call =
    step.kind === 'remove'
      ? registry.remove(step.id, gameServer.ip, caller)
      : step.kind === 'rebroadcast' && caller !== undefined
        ? registry.rebroadcast(step.id, gameServer, caller)
        : registry[step.kind === 'broadcast' ? 'broadcast' : 'ping'](step.id, gameServer, caller);
  // After a loss an outcome may not be known.
  await call.catch(() => undefined);
}

async function actLikeAnOlderReplica(
  client: Redis,
  now: number,
  { kind, id: which }: { readonly kind: 'uncount' | 'keep counting' | 'forget'; readonly id: string },
): Promise<void> {
  const isListed = (await client.zscore('{gsls}:servers', which)) !== null;
  if (kind === 'uncount') {
    await client.zrem('{gsls}:clients', which);
    await client.zrem('{gsls}:expired', which);
  } else if (kind === 'keep counting') {
    await client.zadd('{gsls}:expired', now + reviveWindowMs, which);
    await client.zadd('{gsls}:clients', 1, `${which}, removed`);
    await client.zadd('{gsls}:documents', 32, `${which}, removed`);
  } else if (!isListed) await client.del(RECORD_PREFIX + which);
}

/** Compares the counts with the records, but for entries that have lapsed: those are dropped when it matters. */
async function expectCounted(client: Redis, now: number): Promise<void> {
  const listed = new Set(await client.zrange('{gsls}:servers', 0, -1));
  const clients: Record<string, number> = {};
  const documents: Record<string, number> = {};
  const revivable: string[] = [];
  for (const key of await client.keys(`${RECORD_PREFIX}*`)) {
    const which = key.slice(RECORD_PREFIX.length);
    const { expired_at: expiredAt, client: from, document } = await client.hgetall(key);
    const canBeRevived = !listed.has(which) && Number(expiredAt) + reviveWindowMs > now;
    if (canBeRevived) revivable.push(which);
    if (from !== undefined && (listed.has(which) || canBeRevived))
      clients[which] = Number(networkNumber(from));
    expect(document === undefined || listed.has(which), 'documents are of listed entries').to.equal(true);
    if (document !== undefined)
      documents[which] = Number(networkNumber(from!)) * 32 + Math.ceil(document.length / 1024) - 1;
  }
  const lapsed = new Set(await client.zrangebyscore('{gsls}:expired', '-inf', now));
  const counted = await scoresOf(client, '{gsls}:clients');
  for (const which of lapsed) if (!listed.has(which)) delete counted[which];
  expect(counted, 'the entries of each client').to.deep.equal(clients);
  expect(await scoresOf(client, '{gsls}:documents'), 'the documents').to.deep.equal(documents);
  expect(
    (await client.zrangebyscore('{gsls}:expired', `(${now}`, '+inf')).toSorted(),
    'the entries that can be revived',
  ).to.deep.equal(revivable.toSorted());
}

async function scoresOf(client: Redis, key: string): Promise<Record<string, number>> {
  const flat = await client.zrange(key, 0, -1, 'WITHSCORES');
  return Object.fromEntries(flat.flatMap((each, i) => (i % 2 === 0 ? [[each, Number(flat[i + 1])]] : [])));
}
