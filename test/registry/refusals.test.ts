/** A write that is refused has changed nothing: whatever was written before, in memory and in Redis. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { createGameServerId, type GameServer } from '../../src/model/game-server.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import type { Journal } from '../../src/registry/memory/journal.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { NO_QUOTAS, type RegistryRules } from '../../src/registry/registry-rules.ts';
import type { Caller, Registry } from '../../src/registry/registry.ts';
import { aGameServer } from '../support/builders.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { needs } from '../support/needs.ts';
import { PATIENT } from '../support/patient.ts';
import { useRedis } from '../support/redis-server.ts';
import { runs } from '../support/runs.ts';
import { shrinkBriefly } from '../support/shrink-briefly.ts';

const lifetime = createLifetime(12_000);
const IDS = ['a', 'b', 'c', '~d', '~e', createGameServerId()];

const write = fc.record({
  kind: fc.constantFrom(
    'broadcast' as const,
    'broadcast' as const,
    'ping' as const,
    'rebroadcast' as const,
    'remove' as const,
  ),
  id: fc.constantFrom(...IDS),
  port: fc.integer({ min: 1, max: 3 }),
  players: fc.nat({ max: 1 }),
  ip: fc.constantFrom('203.0.113.7', '203.0.113.7', '198.51.100.9'),
  client: fc.constantFrom('192.0.2.1', '192.0.2.2'),
  proof: fc.constantFrom('none' as const, 'token' as const, 'wrong' as const),
  /** Of a broadcast. */
  former: fc.option(fc.constantFrom(...IDS), { nil: undefined }),
  /** Before the write; less than what a refused one might have renewed. */
  passesMs: fc.constantFrom(0, 0, 1, lifetime.ttlMs / 3, lifetime.ttlMs),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const REFUSED = ['unlisted', 'unknown', 'not_owner', 'ip_mismatch'];
const isRefusal = (outcome: unknown): boolean =>
  typeof outcome === 'object' || REFUSED.includes(outcome as string);

const RULES: readonly RegistryRules[] = [
  { uniqueAddress: true },
  { uniqueAddress: true, quotas: { ...NO_QUOTAS, maxServers: 3, maxServersPerAddress: 2 } },
];

async function carryOut(registry: Registry, each: Write): Promise<unknown> {
  const { kind, id, port, players, ip, client, proof, former } = each;
  const gameServer: GameServer = aGameServer({ port, players, ip });
  const caller: Caller = { address: client, proof };
  if (kind === 'remove') return registry.remove(id, ip, caller);
  if (kind !== 'broadcast') return registry[kind](id, gameServer, caller);
  if (former === undefined || former === id) return registry.broadcast(id, gameServer, caller);
  const predecessor = { id: former, proof: proof === 'wrong' ? proof : ('token' as const) };
  return registry.broadcast(id, gameServer, caller, predecessor);
}

/** `stateOf`: everything that the registry keeps, as text. */
async function expectNoTraces(
  registry: Registry,
  clock: ManualClock,
  writes: readonly Write[],
  stateOf: () => Promise<string>,
): Promise<void> {
  for (const each of writes) {
    await clock.advance(each.passesMs);
    await registry.list();
    const before = await stateOf();
    const outcome = await carryOut(registry, each);
    if (isRefusal(outcome)) expect(await stateOf(), JSON.stringify([each, outcome])).to.equal(before);
  }
  await registry.close();
}

describe('a write that is refused', () => {
  for (const rules of RULES) {
    const which = Object.keys(rules).join(', ');

    it(`changes nothing in memory, with ${which}`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(write, { maxLength: 40, size: 'max' }), async (writes) => {
          const clock = new ManualClock();
          let content: (() => Iterable<unknown>) | undefined;
          let appended = 0;
          const journal: Journal = {
            begin(current) {
              content = current;
              return [];
            },
            append: () => void (appended += 1),
            written: () => undefined,
          };
          const registry = new MemoryRegistry({ lifetime, clock, journal, ...rules });
          const deadlines = (): unknown => IDS.map((id) => registry.known(id));
          await expectNoTraces(registry, clock, writes, async () =>
            JSON.stringify([appended, [...(content?.() ?? [])], deadlines()]),
          );
        }),
        { numRuns: runs(20) },
      ));
  }
});

needs('redis-server').describe('a write that Redis refuses', function () {
  this.timeout(runs(60_000));
  const redis = useRedis();

  for (const rules of RULES) {
    it(`changes nothing there, with ${Object.keys(rules).join(', ')}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(write, { maxLength: 40, size: 'max' }),
          shrinkBriefly(async (writes) => {
            const { client } = redis;
            await client.flushall();
            const clock = new ManualClock();
            const registry = new RedisRegistry({
              client,
              registryName: '',
              lifetime,
              ...rules,
              clock,
              clockRulesRedis: true,
              lossNoticeMs: 0,
              deadlines: PATIENT,
            });
            await expectNoTraces(registry, clock, writes, () => contentsOf(client));
          }),
        ),
        { numRuns: runs(4) },
      ));
  }
});

async function contentsOf(client: Redis): Promise<string> {
  const keys = (await client.keys('*')).filter((key) => !key.includes(':history:')).toSorted();
  const dumps = await Promise.all(keys.map((key) => client.dumpBuffer(key)));
  return keys.map((key, n) => `${key} ${dumps[n]!.toString('base64')}`).join('\n');
}
