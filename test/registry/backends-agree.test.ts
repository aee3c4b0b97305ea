/**
 * Memory and Redis side by side: the same operations, the same outcomes, the same list. And no network ever has more
 * than its quotas allow.
 */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { REACHED, type GameServer, type ListedGameServer } from '../../src/model/game-server.ts';
import { networkOf, type IpAddress } from '../../src/model/net/ip.ts';
import { createLifetime, isRevivable } from '../../src/registry/lifetime.ts';
import type { NativeState } from '../../src/registry/native-entries.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { shortPing } from '../../src/registry/redis/scripts/ping-forms.ts';
import { NO_QUOTAS, type RegistryRules } from '../../src/registry/registry-rules.ts';
import type { Backend } from '../../src/registry/backend.ts';
import { isEntitled, type Caller } from '../../src/registry/registry.ts';
import { Details, NO_DETAILS } from '../../src/model/fields/details.ts';
import { aBan } from '../support/a-ban.ts';
import { aGameServer, anEntry, bodyOf, type ListBody } from '../support/builders.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { needs } from '../support/needs.ts';
import { useRedis } from '../support/redis-server.ts';
import { PATIENT } from '../support/patient.ts';
import { runs } from '../support/runs.ts';
import { shrinkBriefly } from '../support/shrink-briefly.ts';

const lifetime = createLifetime(12_000, 300_000);
const { ttlMs, reviveWindowMs, keepIdMs, maxSweepGapMs } = lifetime;

/** The last two are of one network. */
const CLIENTS = ['192.0.2.1', '2001:db8::1', '2001:db8::2'] as const;
const IDS = Array.from({ length: 5 }, (_, n) => `id-${n}`);
const NATIVE_IDS = Array.from({ length: 4 }, (_, n) => `native-${n}`);
/** A lifetime in which an entry expires while others stay, and which is long enough to be renewed. */
const NATIVE = { ttlMs: 6000, silentBelowMs: 2000 };

const about = {
  /** So few that a broadcast often repeats one that is listed, expired or removed. */
  id: fc.constantFrom(...IDS),
  port: fc.integer({ min: 1, max: 4 }),
  /** Spelled in several ways. */
  host: fc.constantFrom('eu1.example.com', 'eu1.example.com', 'EU1.example.com.', 'eu1.example.com:7777'),
  players: fc.nat({ max: 2 }),
  foreign: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  proof: fc.constantFrom('none' as const, 'none' as const, 'token' as const, 'wrong' as const),
  client: fc.constantFrom(...CLIENTS),
  details: fc.constantFrom(
    undefined,
    undefined,
    NO_DETAILS,
    Details.of({ map: 'a' }),
    Details.of({ map: 'b' }),
  ),
};

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('broadcast' as const), ...about }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ping' as const), ...about }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rebroadcast' as const), ...about }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      ...about,
      id: fc.constantFrom(...NATIVE_IDS),
      kib: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      ...about,
      id: fc.constantFrom(...NATIVE_IDS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), ...about }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('park' as const), ...about }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('evict' as const), ...about }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reach' as const), ...about }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ban' as const), ...about }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('together' as const),
      what: fc.constantFrom('broadcast' as const, 'ping' as const),
      each: fc.array(fc.record(about), { minLength: 2, maxLength: 8 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.constantFrom(1, 700, ttlMs / 3, ttlMs - 1, ttlMs, reviveWindowMs, keepIdMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      // Well below the longest gap, or above it: Redis notes the time of a sweep only each eighth of that gap.
      ms: fc.constantFrom(maxSweepGapMs / 2, ttlMs, 2 * reviveWindowMs),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

type About = Extract<Operation, { kind: 'ping' }>;

const A_SERVER = {
  id: 'id-0',
  port: 1,
  host: 'eu1.example.com',
  players: 1,
  foreign: false,
  proof: 'none',
  client: '192.0.2.1',
  details: undefined,
} as const;
const OTHER = { ...A_SERVER, id: 'id-1' };

/** One network publishes two entries from this one on, then another one does. */
function anExchange(from: number): Operation[] {
  return [CLIENTS[0], CLIENTS[1]].flatMap((client) =>
    NATIVE_IDS.slice(from, from + 2).map((id) => ({ kind: 'publish', ...A_SERVER, id, client, kib: 2 })),
  );
}

/** What the two did not agree on once, or quotas did not hold for. */
const EXAMPLES: readonly Operation[][] = [
  // An entry was reached after another one was renewed, and falls silent before it.
  [
    { kind: 'broadcast', ...A_SERVER },
    { kind: 'advance', ms: ttlMs / 3 },
    { kind: 'broadcast', ...OTHER, port: 2 },
    { kind: 'reach', ...A_SERVER },
    { kind: 'advance', ms: ttlMs - 1 },
  ],
  // Another network publishes entries of one that has as many as it may, live or expired.
  [
    ...anExchange(0),
    { kind: 'advance', ms: NATIVE.ttlMs },
    { kind: 'advance', ms: 700 },
    ...anExchange(2),
    ...anExchange(0),
  ],
  // Of two pings that come at once, one takes the address of a claimed entry, and the other one has no token for it.
  [
    { kind: 'broadcast', ...A_SERVER, proof: 'token' },
    { kind: 'broadcast', ...OTHER, port: 2 },
    { kind: 'together', what: 'ping', each: [A_SERVER, OTHER] },
  ],
  // Of two pings that come at once, one repeats what is known: it is renewed before the other one takes its address.
  [
    { kind: 'broadcast', ...A_SERVER },
    { kind: 'broadcast', ...OTHER, port: 2 },
    {
      kind: 'together',
      what: 'ping',
      each: [
        { ...OTHER, port: 2 },
        { ...A_SERVER, port: 2 },
      ],
    },
  ],
];

const A_BAN = aBan({});

const MOST = { servers: 2, bytes: 4096 };
const QUOTAS = {
  quotas: { ...NO_QUOTAS, maxServersPerAddress: MOST.servers },
  maxDocumentBytesPerAddress: MOST.bytes,
};

/** The rules that a property is tried under. */
const RULES: readonly Partial<RegistryRules>[] = [
  {},
  { uniqueAddress: true },
  { ...QUOTAS, quotas: { ...QUOTAS.quotas, maxServers: 4 }, hidesUnreached: true },
  QUOTAS,
  { ...QUOTAS, uniqueAddress: true },
  { ...QUOTAS, uniqueAddress: true, verifySource: true },
];

function callerOf({
  client,
  proof,
}: {
  readonly client: IpAddress;
  readonly proof: Caller['proof'];
}): Caller {
  return { address: client, proof };
}

function gameServerOf({ foreign, port, host, players, details }: Omit<About, 'kind'>): GameServer {
  const ip = foreign ? '198.51.100.9' : '203.0.113.7';
  return aGameServer({ port, host, players, ip, ...(details && { details }) });
}

function linkOf({ client, port }: Pick<About, 'client' | 'port'>): string {
  return `a://${client}/${port}`;
}

function nativeStateOf(step: Extract<Operation, { kind: 'publish' }>): NativeState {
  const describe = (links: readonly string[]): GameServer => ({
    ...gameServerOf(step),
    details: Details.of({ mode: links.join(' ') }),
  });
  const document = step.client.padEnd(step.kib * 1024, '.');
  return { protocol: 'played', lifetime: NATIVE, link: linkOf(step), describe, document };
}

/** One registry with its clock. */
class Subject {
  readonly registry: Backend;
  readonly #clock: ManualClock;

  constructor(registry: Backend, clock: ManualClock) {
    this.registry = registry;
    this.#clock = clock;
  }

  /** Resolves with the outcome. */
  async run(step: Operation): Promise<unknown> {
    if (step.kind === 'advance') return this.#clock.advance(step.ms);
    if (step.kind === 'jump') return this.#clock.jump(step.ms);
    if (step.kind === 'together') return this.runAll(step.each.map((each) => ({ kind: step.what, ...each })));
    const { kind, id, players, client } = step;
    const gameServer = gameServerOf(step);
    const caller = callerOf(step);
    switch (kind) {
      case 'broadcast':
        return this.registry.broadcast(id, gameServer, caller);
      case 'ping':
        return this.registry.ping(id, gameServer, caller);
      case 'rebroadcast':
        return this.registry.rebroadcast(id, gameServer, caller);
      case 'publish':
        return this.registry.nativeEntries.publish(id, nativeStateOf(step), caller);
      case 'withdraw':
        return this.registry.nativeEntries.withdraw(id, linkOf(step));
      case 'remove':
        return this.registry.remove(id, gameServer.ip, caller);
      case 'park':
        return this.registry.park(id, gameServer.ip, { proof: step.proof === 'wrong' ? 'wrong' : 'token' });
      case 'evict':
        return this.registry.evict(id);
      case 'reach':
        return this.registry.reachability.note(
          id,
          gameServer,
          players === 0 ? 'silent' : REACHED,
          players === 2 ? { players, at: 1000 } : undefined,
        );
      default:
        return this.registry.moderation.decide((decided) => ({
          ...decided,
          bans: [{ ...A_BAN, address: client }],
        }));
    }
  }

  /**
   * On Redis at once, so that they go there as a group. In memory one after the other, in the order that they have on
   * Redis: first those that a replica refuses by itself, then short pings. Resolves with the outcomes.
   */
  async runAll(steps: readonly Operation[]): Promise<unknown[]> {
    if (this.registry instanceof RedisRegistry) return Promise.all(steps.map((step) => this.run(step)));
    const outcomes = new Map<Operation, unknown>();
    const places = new Map(steps.map((step) => [step, this.#placeOf(step)]));
    for (const step of steps.toSorted((a, b) => places.get(a)! - places.get(b)!))
      outcomes.set(step, await this.run(step));
    return steps.map((step) => outcomes.get(step));
  }

  #placeOf(step: Operation): number {
    if (this.#isKnownToBeRefused(step)) return 0;
    return this.#isShort(step) ? 1 : 2;
  }

  /** Whether it is a ping that says nothing new but players. */
  #isShort(step: Operation): boolean {
    if (step.kind !== 'ping') return false;
    const known = this.registry.known(step.id);
    return known !== undefined && shortPing(gameServerOf(step), callerOf(step), known) !== undefined;
  }

  /** Whether it is a ping for an entry whose claim is known, without the token. */
  #isKnownToBeRefused(step: Operation): boolean {
    if (step.kind !== 'ping') return false;
    const known = this.registry.known(step.id);
    return known?.isClaimed === true && !isEntitled(callerOf(step), known);
  }

  /** How many entries of each network are listed or can be revived, and how many bytes their documents have. */
  async used(): Promise<Readonly<Record<string, { readonly servers: number; readonly bytes: number }>>> {
    const used: Record<string, { servers: number; bytes: number }> = {};
    const add = (client: string, bytes: number): void => {
      const of = (used[networkOf(client)] ??= { servers: 0, bytes: 0 });
      of.servers += 1;
      of.bytes += bytes;
    };
    for (const entry of await this.registry.entries())
      add(entry.client, this.registry.nativeEntries.documentOf(entry)?.length ?? 0);
    for (const id of [...IDS, ...NATIVE_IDS]) {
      const fate = await this.registry.fates.of(id);
      // Redis keeps the record of one that has lapsed for a while.
      if (fate.is !== 'expired') continue;
      const { expiredAt, parkedUntil, client } = fate.entry;
      const now = this.#clock.now();
      if (
        parkedUntil === undefined ? isRevivable(expiredAt, now, lifetime.reviveWindowMs) : now < parkedUntil
      )
        add(client, 0);
    }
    return used;
  }

  /** The list, and what it does not show. */
  async list(): Promise<readonly [ListBody, readonly ListedGameServer[]]> {
    const body = await bodyOf(await this.registry.list());
    const entries = [...(await this.registry.entries())].map(
      ({ id, ip, host, name, port, players, maxPlayers, details, isClaimed, client, reachability, seen }) =>
        anEntry({
          id,
          ip,
          host,
          name,
          port,
          players,
          maxPlayers,
          details,
          isClaimed,
          client,
          reachability,
          seen,
          registeredVersion: 0,
        }),
    );
    return [body, entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))];
  }
}

/**
 * Steps whose outcome does not depend on their order, which is free for calls that come at once: those for one id say
 * the same. Where addresses are unique, an id is there once, as each ping can take another entry off the list.
 */
function inAnyOrder(step: Operation, uniqueAddress: boolean): Operation {
  if (step.kind !== 'together') return step;
  const first = new Map(step.each.toReversed().map((each) => [each.id, each]));
  return { ...step, each: uniqueAddress ? [...first.values()] : step.each.map(({ id }) => first.get(id)!) };
}

/**
 * Steps without a gap in sweeping, if another protocol lists entries: what is due while the grace gate is shut then has
 * another deadline in Redis, and can be revived for a little longer.
 */
function withoutGaps(steps: readonly Operation[]): readonly Operation[] {
  if (steps.every(({ kind }) => kind !== 'publish')) return steps;
  return steps.map((step) => (step.kind === 'jump' ? { ...step, ms: maxSweepGapMs / 2 } : step));
}

needs('redis-server').describe('memory and Redis', () => {
  const redisServer = useRedis();

  for (const { uniqueAddress = false, ...rules } of RULES) {
    const which = [uniqueAddress && 'uniqueAddress', ...Object.keys(rules)].filter(Boolean).join(', ');
    it(`have the same outcomes and the same list${which && `, with ${which}`}`, async function () {
      this.timeout(runs(120_000));
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { maxLength: 40, size: 'max' }),
          shrinkBriefly(async (steps) => {
            const { client } = redisServer;
            await client.flushall();
            const clocks = [new ManualClock(), new ManualClock()] as const;
            const memory = new Subject(
              new MemoryRegistry({ lifetime, uniqueAddress, ...rules, clock: clocks[0] }),
              clocks[0],
            );
            const options = {
              client,
              registryName: '',
              lifetime,
              uniqueAddress,
              ...rules,
              clock: clocks[1],
              clockRulesRedis: true,
              lossNoticeMs: 0,
              deadlines: PATIENT,
            };
            const redis = new Subject(new RedisRegistry(options), clocks[1]);
            // As the service does at its start, so that both have swept at the same moment.
            await redis.list();
            for (const step of withoutGaps(steps).map((each) => inAnyOrder(each, uniqueAddress))) {
              expect(await redis.run(step), step.kind).to.deep.equal(await memory.run(step));
              expect(await redis.list(), `the list after ${step.kind}`).to.deep.equal(await memory.list());
              const used = await memory.used();
              expect(await redis.used(), `what counts after ${step.kind}`).to.deep.equal(used);
              if (!('quotas' in rules)) continue;
              for (const { servers, bytes } of Object.values(used)) {
                expect(servers, 'entries of a network').to.be.at.most(MOST.servers);
                expect(bytes, 'bytes of a network').to.be.at.most(MOST.bytes);
              }
            }
            await Promise.all([memory.registry.close(), redis.registry.close()]);
          }),
        ),
        { numRuns: runs(4), examples: EXAMPLES.map((steps) => [steps]) },
      );
    });
  }
});
