/**
 * The registry of any number of replicas: Redis holds the truth, each replica a copy of the list. Method for method the
 * twin of ../memory/memory-registry.ts. Writes are scripts, and all go one way (#write). The list is read behind a
 * barrier (follower/list-reader.ts), from a copy that follows Redis (follower/follower.ts). redis-internals.ts
 * assembles its parts.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Backend } from '../backend.ts';
import type { GameServer, GameServerId, ListedGameServer } from '../../model/game-server.ts';
import {
  EVICTION,
  systemClock,
  UNKNOWN_CALLER,
  type AnyCaller,
  type BroadcastOutcome,
  type ByJoinCode,
  type Caller,
  type LeftReason,
  type ListedReason,
  type Listing,
  type PingOutcome,
  type Predecessor,
  type Prover,
  type RebroadcastOutcome,
  type RemoveOutcome,
  type ToldEntry,
} from '../registry.ts';
import type { RedisRegistryEvents } from './events.ts';
import type { Claimant, WriteReply } from './guarded-writes.ts';
import { RedisNativeEntries } from './redis-native-entries.ts';
import { RedisReports } from './redis-reports.ts';
import { REST_LOOK_INTERVAL_MS } from './rest.ts';
import { startInternals, type RedisInternals, type RedisRegistryOptions } from './redis-internals.ts';

/** The reason under which operators are told of a write. */
type WriteReason = ListedReason | Exclude<LeftReason, 'replaced'>;

export class RedisRegistry implements Backend {
  readonly moderation: Backend['moderation'];
  readonly history: Backend['history'];
  readonly serverHistories: Backend['serverHistories'];
  readonly lease: Backend['lease'];
  readonly secret: Backend['secret'];
  readonly reachability: Backend['reachability'];
  readonly reports: Backend['reports'];
  readonly nativeEntries: Backend['nativeEntries'];
  readonly fates: Backend['fates'];
  readonly #events: Partial<RedisRegistryEvents>;
  readonly #internals: RedisInternals;

  constructor(options: RedisRegistryOptions) {
    const internals = startInternals(options);
    const { scripts, settings, breaker, writes, rest, history, serverHistories } = internals;
    const awake = <T>(ask: () => T): T => {
      rest.wake();
      return ask();
    };
    this.#events = options.events ?? {};
    this.#internals = internals;
    this.moderation = internals.moderation;
    this.reports = new RedisReports({ scripts, breaker, now: () => (options.clock ?? systemClock).now() });
    this.history = { points: (step) => awake(() => history.points(step)) };
    this.serverHistories = serverHistories && { of: (id) => awake(() => serverHistories.of(id)) };
    this.fates = internals.fates;
    this.nativeEntries = new RedisNativeEntries({
      ...internals,
      events: this.#events,
      note: (id, reply) => this.#note(id, reply),
    });
    this.lease = { take: (name, forMs) => breaker.run(() => scripts.takeLease(name, forMs)) };
    this.secret = {
      get text() {
        return settings.secret;
      },
    };
    this.reachability = {
      note: (id, ...about) => writes.run(id, () => scripts.noteReachability(id, ...about)),
    };
  }

  broadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller: AnyCaller = UNKNOWN_CALLER,
    predecessor?: Predecessor,
  ): Promise<BroadcastOutcome> {
    return this.#write({ id }, 'new', undefined, ({ scripts }, since) =>
      scripts.broadcast(id, gameServer, caller, predecessor, since),
    );
  }

  ping(id: GameServerId, gameServer: GameServer, caller: AnyCaller = UNKNOWN_CALLER): Promise<PingOutcome> {
    return this.#write({ id }, 'revived', { caller, ip: gameServer.ip }, ({ scripts }, since, known) =>
      scripts.ping(id, gameServer, caller, known, since),
    );
  }

  rebroadcast(id: GameServerId, gameServer: GameServer, caller: Caller): Promise<RebroadcastOutcome> {
    const { ip, port } = gameServer;
    return this.#write({ id, ip, port }, 'again', { caller }, ({ scripts }, since) =>
      scripts.rebroadcast(id, gameServer, caller, since),
    );
  }

  remove(id: GameServerId, ip: string, caller: AnyCaller = UNKNOWN_CALLER): Promise<RemoveOutcome> {
    return this.#write({ id, ip }, 'removed', { caller, ip }, ({ scripts }, since) =>
      scripts.remove(id, ip, caller, since),
    );
  }

  park(id: GameServerId, ip: string, caller: Prover): Promise<RemoveOutcome> {
    return this.#write({ id, ip }, 'parked', { caller, ip }, ({ scripts }, since) =>
      scripts.remove(id, ip, caller, since, true),
    );
  }

  async evict(id: GameServerId): Promise<'removed' | 'unknown'> {
    await this.#internals.serverHistories?.forget(id);
    return this.#write({ id }, 'evicted', { caller: EVICTION }, ({ scripts }, since) =>
      scripts.remove(id, undefined, EVICTION, since),
    );
  }

  list(): Promise<Listing> {
    this.#internals.rest.wake();
    return this.#internals.reader.list();
  }

  async glance(): Promise<Listing> {
    const { reader, rest } = this.#internals;
    return rest.isResting ? reader.latest(2 * REST_LOOK_INTERVAL_MS) : reader.list();
  }

  get hasList(): boolean {
    return this.#internals.follower.current !== undefined;
  }

  /** Resolves once there is a list, a poll finds that Redis does not answer, or the limit is over. */
  async untilListed(limitMs: number): Promise<void> {
    await Promise.race([this.#internals.reader.poll(), delay(limitMs, undefined, { ref: false })]);
  }

  known(by: GameServerId | ByJoinCode): ListedGameServer | undefined {
    const { follower } = this.#internals;
    return typeof by === 'string' ? follower.get(by) : follower.withJoinCode(by.joinCode);
  }

  async entries(): Promise<Iterable<ListedGameServer>> {
    this.#internals.rest.wake();
    await this.#internals.reader.barrier();
    return this.#internals.follower.entries();
  }

  async close(): Promise<void> {
    this.#internals.close();
  }

  /**
   * The way of every write:
   *
   *   1. The breaker refuses it at once while Redis does not answer. Damaged keys are mended first. A refusal that may
   *      come of a loss is doubted: the write is sent again until its outcome is sure, or its time is over
   *      (guarded-writes.ts).
   *   2. The script is sent, those of broadcasts and pings in groups (scripts/group-commit.ts), with a deadline, after
   *      which Redis does not run it (scripts/script-runner.ts). Its reply becomes an outcome
   *      (scripts/script-replies.ts).
   *   3. This replica remembers what the write has changed: it counts from now on, before the feed brings it.
   *   4. Operators are told of it as `why`, if the write did what it was for.
   *
   * `entry`: the entry as the caller names it. `by`: undefined for a new entry. `send` receives the entry as this
   * replica knew it at first: when the write is sent again, that may be outdated. `since`: see SendWrite.
   */
  async #write<Outcome>(
    entry: ToldEntry,
    why: WriteReason,
    by: Claimant | undefined,
    send: (
      internals: RedisInternals,
      since: number,
      known: ListedGameServer | undefined,
    ) => Promise<WriteReply>,
  ): Promise<Outcome> {
    const { follower, writes } = this.#internals;
    const known = follower.get(entry.id);
    const reply = await writes.untilSure(entry.id, by, (since) => send(this.#internals, since, known));
    this.#note(entry.id, reply);
    if (isDone(why, reply, known)) {
      const { onListed, onLeft } = this.#events;
      if (why === 'removed' || why === 'parked' || why === 'evicted') onLeft?.(known ?? entry, why);
      else onListed?.(reply.changed ?? entry, why);
    }
    return reply.outcome as Outcome;
  }

  #note(id: GameServerId, { changed, version, parked, gone = [] }: WriteReply): void {
    const { follower } = this.#internals;
    const { unseen } = follower;
    if (changed !== undefined) unseen.noteListed(changed);
    if (version !== undefined) unseen.noteRemoved(id, version, parked);
    for (const each of gone) {
      const known = follower.get(each.id) ?? { id: each.id };
      if (each.version !== undefined) unseen.noteRemoved(each.id, each.version);
      this.#events.onLeft?.(known, 'replaced');
    }
  }
}

/** Whether a write did what `why` says. `known`: the entry before the write, as far as this replica knew it. */
function isDone(
  why: WriteReason,
  { outcome, changed, wasExpired, parked }: WriteReply,
  known: ListedGameServer | undefined,
): boolean {
  switch (why) {
    case 'new':
      return known === undefined && changed !== undefined && changed.version === changed.registeredVersion;
    case 'revived':
      return wasExpired === true;
    case 'again':
      return outcome === 'refreshed';
    case 'parked':
      return parked !== undefined;
    default:
      return outcome === 'removed';
  }
}
