/** Any sequence of operations, losses of data and changes of replicas, against a model of who knows what. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { createGameServerId, type GameServer, type GameServerId } from '../../../src/model/game-server.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer, bodyOf } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent, saveRedis } from '../../support/redis-losses.ts';
import { useRedis } from '../../support/redis-server.ts';
import { PATIENT } from '../../support/patient.ts';
import { runs } from '../../support/runs.ts';

const REPLICAS = 3;
const lifetime = createLifetime(3000);
const { ttlMs } = lifetime;

const replica = fc.nat({ max: REPLICAS - 1 });
const which = fc.nat({ max: 6 });
const players = fc.nat({ max: 3 });
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('broadcast' as const),
      replica,
      port: fc.integer({ min: 1, max: 3 }),
      token: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ping' as const),
      replica,
      which,
      players,
      token: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), replica, which }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('look' as const), replica }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('everyone looks' as const),
      delaysMs: fc.tuple(...Array.from({ length: REPLICAS }, () => fc.nat({ max: 8 }))),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.constantFrom(1, ttlMs / 3, ttlMs - 1, ttlMs, 2 * ttlMs),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('save' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('roll back' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wipe' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace' as const), replica }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** A reader is quicker than the replica that knows of a claim; that one looks at Redis alone, or with the others. */
const LOST_CLAIMS = (['look', 'everyone looks'] as const).flatMap((last) =>
  (['wipe', 'roll back'] as const).map((loss): Operation[] => [
    { kind: 'broadcast', replica: 0, port: 1, token: false },
    { kind: 'everyone looks', delaysMs: [0, 0, 0] },
    { kind: 'save' },
    { kind: 'ping', replica: 0, which: 0, players: 0, token: true },
    ...(loss === 'wipe'
      ? ([{ kind: loss }, { kind: 'look', replica: 1 }] as const)
      : ([{ kind: loss }] as const)),
    { kind: 'ping', replica: 1, which: 0, players: 2, token: false },
    last === 'look' ? { kind: last, replica: 0 } : { kind: last, delaysMs: [0, 0, 0] },
  ]),
);

/** What is known of an id. Times are those of the clock, on which no two operations fall together. */
interface Known {
  readonly isListed: boolean;
  /** When that became so, as the feed tells it. */
  readonly at: number;
  /** How new that is: as `at`, but a restoration that its game server has not confirmed makes it no newer. */
  readonly stateAt: number;
  readonly players: number;
  readonly isClaimed: boolean;
}

/** What Redis has of an id. */
interface Held extends Omit<Known, 'stateAt'> {
  /** How old that is: as `at`, but a restoration makes it no younger. */
  readonly from: number;
  /** When its game server was last heard of. */
  readonly heardAt: number;
  /** When its last TTL began. */
  readonly renewedAt: number;
  /** `at` of what a restoration has told of it last; 0 if there was none. */
  readonly restoredFrom: number;
}

/** How new the state is, as the feed tells it. */
function stateAtOf({ isListed, at, from, heardAt }: Held): number {
  return isListed && heardAt === from ? from : at;
}

function knownFrom(held: Held): Known {
  return { ...held, stateAt: stateAtOf(held) };
}

class Model {
  /** In order of registration. */
  readonly ids: { readonly id: GameServerId; readonly port: number }[] = [];
  redis = new Map<GameServerId, Held>();

  listed(): { id: GameServerId; players: number; isClaimed: boolean }[] {
    return this.ids.flatMap(({ id }) => {
      const held = this.redis.get(id);
      return held?.isListed ? [{ id, players: held.players, isClaimed: held.isClaimed }] : [];
    });
  }

  /**
   * The rules of a restoration. True if Redis learned something from it. Who does not reload follows the changes
   * it sees.
   */
  restore(
    { knows, reloaded }: { knows: ReadonlyMap<GameServerId, Known>; reloaded: boolean },
    now: number,
    uniqueAddress: boolean,
  ): boolean {
    let learned = false;
    const news = [...knows].filter(([id, known]) => {
      const held = this.redis.get(id);
      // A removal alone of an id that Redis has never heard of shows in nothing that a follower compares.
      if (held === undefined) return known.isListed || reloaded;
      const differs = known.isListed && held.isListed && known.isClaimed !== held.isClaimed;
      // A claim is never taken back, whatever came later.
      if (differs && known.isClaimed && known.stateAt > held.restoredFrom) return true;
      const isAsKnown = reloaded ? known.stateAt === stateAtOf(held) && !differs : known.at <= held.at;
      if (isAsKnown) return false;
      if (differs && held.at <= known.stateAt) return true;
      if (differs && held.isClaimed) return false;
      return known.stateAt > held.from && (!held.isListed || known.stateAt >= held.heardAt);
    });
    for (const [id, known] of news.toSorted(([, a], [, b]) => Number(a.isListed) - Number(b.isListed))) {
      const held = this.redis.get(id);
      if (known.isListed && uniqueAddress && !this.#claim(id, now)) continue;
      const isNewTombstone = !known.isListed && held?.isListed !== true;
      this.redis.set(id, {
        ...known,
        from: known.stateAt,
        heardAt: known.stateAt,
        renewedAt: held?.isListed ? held.renewedAt : now,
        at: isNewTombstone ? known.stateAt : now,
        restoredFrom: isNewTombstone ? (held?.restoredFrom ?? 0) : known.stateAt,
      });
      learned = true;
    }
    return learned;
  }

  /** Who registered last at an address has it. */
  #claim(id: GameServerId, now: number): boolean {
    const place = this.ids.findIndex((other) => other.id === id);
    const rivals = this.ids.filter(
      (other) =>
        other.id !== id && other.port === this.ids[place]!.port && this.redis.get(other.id)?.isListed,
    );
    if (rivals.some((rival) => this.ids.indexOf(rival) > place)) return false;
    for (const rival of rivals) this.leave(rival.id, now);
    return true;
  }

  leave(id: GameServerId, at: number): void {
    const restoredFrom = this.redis.get(id)?.restoredFrom ?? 0;
    const times = { at, from: at, heardAt: at, renewedAt: at, restoredFrom };
    this.redis.set(id, { isListed: false, players: 0, isClaimed: false, ...times });
  }
}

/** A replica, and what the model thinks it knows. */
class Replica {
  readonly registry: RedisRegistry;
  knows = new Map<GameServerId, Known>();
  /** Of which it ever knew that they are claimed. */
  readonly claimed = new Set<GameServerId>();
  lookedAt = 0;
  reloads = 0;

  constructor(client: Redis, clock: ManualClock, uniqueAddress: boolean) {
    this.registry = new RedisRegistry({
      client,
      registryName: '',
      lifetime,
      uniqueAddress,
      // So claimed entries give way as well.
      verifySource: uniqueAddress,
      clock,
      clockRulesRedis: true,
      lossNoticeMs: 20,
      deadlines: PATIENT,
      events: { onReload: () => (this.reloads += 1) },
    });
  }
}

class Run {
  readonly #client: Redis;
  readonly #uniqueAddress: boolean;
  readonly #clock = new ManualClock();
  readonly #model = new Model();
  readonly #replicas: Replica[] = [];
  #saved: { readonly rollBack: () => Promise<void>; readonly redis: Map<GameServerId, Held> } | undefined;
  #lostAnything = false;

  constructor(client: Redis, uniqueAddress: boolean) {
    this.#client = client;
    this.#uniqueAddress = uniqueAddress;
  }

  async go(steps: readonly Operation[]): Promise<void> {
    await this.#client.flushall();
    for (let n = 0; n < REPLICAS; n += 1) {
      this.#replicas.push(new Replica(this.#client, this.#clock, this.#uniqueAddress));
      await this.#look(this.#replicas[n]!);
    }
    try {
      for (const step of steps) {
        this.#clock.jump(1);
        await this.#do(step);
      }
      this.#clock.jump(1);
      await this.#everyoneLooks([0, 0, 0]);
      this.#clock.jump(1);
      await this.#everyoneLooks([0, 0, 0]);
      await expectConsistent(this.#client, { uniqueAddress: this.#uniqueAddress });
      for (const { id, isClaimed } of this.#model.listed())
        if (this.#replicas.some(({ claimed }) => claimed.has(id)))
          expect(isClaimed, 'a claim that a replica knew of').to.equal(true);
    } finally {
      await Promise.all(this.#replicas.map(({ registry }) => registry.close()));
    }
  }

  async #do(step: Operation): Promise<void> {
    switch (step.kind) {
      case 'broadcast':
        return this.#broadcast(this.#replicas[step.replica]!, step.port, step.token);
      case 'ping':
        return this.#ping(this.#replicas[step.replica]!, step.which, step.players, step.token);
      case 'remove':
        return this.#remove(this.#replicas[step.replica]!, step.which);
      case 'look':
        return this.#look(this.#replicas[step.replica]!);
      case 'everyone looks':
        return this.#everyoneLooks(step.delaysMs);
      case 'advance':
        return this.#advance(step.ms);
      case 'save':
        this.#saved = { rollBack: await saveRedis(this.#client), redis: new Map(this.#model.redis) };
        return undefined;
      case 'roll back':
        if (this.#saved === undefined) return undefined;
        await this.#saved.rollBack();
        this.#model.redis = new Map(this.#saved.redis);
        this.#lostAnything = true;
        return undefined;
      case 'wipe':
        await this.#client.flushall();
        this.#model.redis = new Map();
        this.#lostAnything = true;
        return undefined;
      case 'replace': {
        // A replica has to be left that saw what happened after the save.
        this.#saved = undefined;
        await this.#replicas[step.replica]!.registry.close();
        const fresh = new Replica(this.#client, this.#clock, this.#uniqueAddress);
        this.#replicas[step.replica] = fresh;
        return this.#look(fresh);
      }
    }
  }

  async #broadcast(through: Replica, port: number, token: boolean): Promise<void> {
    const id = createGameServerId();
    const at = this.#clock.now();
    const { reloads } = through;
    expect(await through.registry.broadcast(id, gameServerAt(port, 0), callerWith(token))).to.equal('listed');
    // Nothing new is listed before all is back that Redis has lost.
    if (through.reloads > reloads) {
      await this.#noteExpiry();
      this.#noteLook(through, true);
    }
    if (this.#uniqueAddress) {
      for (const other of this.#model.ids) {
        if (other.port === port && this.#model.redis.get(other.id)?.isListed) this.#model.leave(other.id, at);
      }
    }
    this.#model.ids.push({ id, port });
    const known = { isListed: true, at, stateAt: at, players: 0, isClaimed: token };
    this.#model.redis.set(id, { ...known, from: at, heardAt: at, renewedAt: at, restoredFrom: 0 });
    through.knows.set(id, known);
    if (token) through.claimed.add(id);
  }

  async #ping(through: Replica, index: number, count: number, token: boolean): Promise<void> {
    const target = this.#model.ids[index];
    if (target === undefined) return;
    const { id, port } = target;
    const before = this.#model.redis.get(id);
    const wasListed = before?.isListed === true;
    const known = through.knows.get(id);
    const knew = known?.isListed === true;
    const reloads = through.reloads;
    const outcome = await through.registry
      .ping(id, gameServerAt(port, count), callerWith(token))
      .catch((error: { code: string }) => error.code);
    if (!token && ((knew && known.isClaimed) || (wasListed && before.isClaimed))) {
      expect(outcome, 'a ping of a claimed one without a token').to.equal('not_owner');
      // A replica that knows it without the claim looks at Redis.
      if (!knew || known.isClaimed) return;
      await this.#noteExpiry();
      this.#noteLook(through, through.reloads > reloads);
      return;
    }
    if (wasListed) expect(outcome, 'a ping of one who is listed').to.equal('refreshed');
    else if (outcome === 'unknown' || through.reloads > reloads) {
      await this.#noteExpiry();
      this.#noteLook(through, through.reloads > reloads);
    }
    if (outcome === 'unknown' && knew)
      expect(this.#model.redis.get(id)?.isListed, 'an unknown one').to.not.equal(true);
    if (outcome !== 'refreshed') return;
    const held = this.#model.redis.get(id);
    const at = this.#clock.now();
    const isClaimed = token || (held?.isListed === true && held.isClaimed);
    if (token) through.claimed.add(id);
    if (held?.isListed && held.players === count && held.isClaimed === isClaimed)
      this.#model.redis.set(id, { ...held, heardAt: at, renewedAt: at });
    else {
      through.knows.set(id, { isListed: true, at, stateAt: at, players: count, isClaimed });
      if (!held?.isListed && this.#uniqueAddress) {
        for (const other of this.#model.ids) {
          if (other.id !== id && other.port === port && this.#model.redis.get(other.id)?.isListed)
            this.#model.leave(other.id, at);
        }
      }
      this.#model.redis.set(id, {
        isListed: true,
        at,
        from: at,
        heardAt: at,
        renewedAt: at,
        players: count,
        isClaimed,
        restoredFrom: held?.restoredFrom ?? 0,
      });
    }
  }

  async #remove(through: Replica, index: number): Promise<void> {
    const target = this.#model.ids[index];
    if (target === undefined) return;
    const { id } = target;
    const wasListed = this.#model.redis.get(id)?.isListed === true;
    const reloads = through.reloads;
    const outcome = await through.registry
      .remove(id, aGameServer().ip, callerWith(true))
      .catch((error: { code: string }) => error.code);
    if (wasListed) expect(outcome, 'removing one who is listed').to.equal('removed');
    else if (outcome !== 'removed') this.#noteLook(through, through.reloads > reloads);
    else if (through.reloads > reloads) this.#noteLook(through, true);
    if (outcome !== 'removed') return;
    const at = this.#clock.now();
    if (this.#model.redis.get(id)?.isListed) this.#model.leave(id, at);
    through.knows.set(id, knownFrom(this.#model.redis.get(id)!));
  }

  async #advance(ms: number): Promise<void> {
    const { sweepIntervalMs } = lifetime;
    if (ms < sweepIntervalMs) return this.#clock.advance(ms);
    const reloads = this.#replicas.map((each) => each.reloads);
    await this.#clock.advance(sweepIntervalMs);
    await this.#noteExpiry();
    // In which order they looked makes no difference for who is restored.
    for (const [n, each] of this.#replicas.entries()) this.#noteLook(each, each.reloads > reloads[n]!);
    await this.#clock.advance(ms - sweepIntervalMs);
    await this.#noteExpiry();
    for (const each of this.#replicas) this.#learn(each, false);
    return undefined;
  }

  /** Redis decides who is due; that they are is for us to check. */
  async #noteExpiry(): Promise<void> {
    const listed = new Set(await this.#client.zrange('{gsls}:servers', 0, '-1'));
    for (const { id } of this.#model.listed()) {
      if (listed.has(id) || this.#model.redis.get(id)!.renewedAt > this.#clock.now() - ttlMs) continue;
      this.#model.leave(id, this.#clock.now());
    }
  }

  async #look(each: Replica): Promise<void> {
    const reloads = each.reloads;
    const listing = await each.registry.list();
    expect(listing.staleSince, 'since when the list is stale').to.equal(undefined);
    await this.#noteExpiry();
    this.#noteLook(each, each.reloads > reloads);
    expect(await this.#shownBy(each)).to.deep.equal(this.#model.listed());
  }

  async #everyoneLooks(delaysMs: readonly number[]): Promise<void> {
    const reloads = this.#replicas.map((each) => each.reloads);
    await Promise.all(
      this.#replicas.map(async ({ registry }, n) => {
        await new Promise((resolve) => setTimeout(resolve, delaysMs[n]));
        await registry.list();
      }),
    );
    await this.#noteExpiry();
    // Who comes late may find that the others have restored everything.
    const reloaded = this.#replicas.map((each, n) => each.reloads > reloads[n]!);
    for (const [n, each] of this.#replicas.entries()) if (reloaded[n]) this.#noteLook(each, true);
    for (const [n, each] of this.#replicas.entries()) if (!reloaded[n]) this.#noteLook(each, false);
    for (const each of this.#replicas) this.#learn(each, true);
    for (const each of this.#replicas) expect(await this.#shownBy(each)).to.deep.equal(this.#model.listed());
  }

  async #shownBy({ registry }: Replica): Promise<unknown> {
    const { servers } = await bodyOf(await registry.list());
    return servers.map(({ id, players: count }) => ({
      id,
      players: count,
      isClaimed: registry.known(id)?.isClaimed,
    }));
  }

  /** The replica has compared its copy with Redis. */
  #noteLook(each: Replica, reloaded: boolean): void {
    const learned = this.#model.restore(
      { knows: each.knows, reloaded },
      this.#clock.now(),
      this.#uniqueAddress,
    );
    if (learned) expect(reloaded, 'notices a loss').to.equal(true);
    if (!this.#lostAnything) expect(reloaded, 'takes nothing for a loss that is none').to.equal(false);
    this.#learn(each, reloaded);
  }

  #learn(each: Replica, reloaded: boolean): void {
    // A replica that loads the whole list learns also who has left.
    const after = each.lookedAt === 0 || reloaded ? -Infinity : each.lookedAt;
    const knows = new Map<GameServerId, Known>();
    for (const [id, known] of each.knows) if (!known.isListed) knows.set(id, known);
    for (const [id, held] of this.#model.redis) {
      const known = each.knows.get(id);
      const isAsBefore = !reloaded && known?.isListed === true && held.isListed && known.at === held.at;
      if (isAsBefore) knows.set(id, known);
      else if (held.isListed || held.at > after) knows.set(id, knownFrom(held));
    }
    each.knows = knows;
    for (const [id, { isClaimed }] of knows) if (isClaimed) each.claimed.add(id);
    each.lookedAt = this.#clock.now();
  }
}

function callerWith(token: boolean): Caller {
  return { address: '203.0.113.7', proof: token ? 'token' : 'none' };
}

function gameServerAt(port: number, count: number): GameServer {
  return aGameServer({ port, players: count });
}

needs('redis-server').describe('any losses of Redis', () => {
  const redis = useRedis();

  for (const uniqueAddress of [false, true]) {
    it(`leave what the replicas knew, ${uniqueAddress ? 'with' : 'without'} unique addresses`, async function () {
      this.timeout(30 * 60_000);
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 40 }), (steps) =>
          new Run(redis.client, uniqueAddress).go(steps),
        ),
        {
          numRuns: runs(3) + LOST_CLAIMS.length,
          examples: LOST_CLAIMS.map((steps): [Operation[]] => [steps]),
        },
      );
    });
  }
});
