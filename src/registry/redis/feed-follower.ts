/**
 * Keeps this replica's copy of the list at what Redis has: follows the feed, notices when Redis has another history
 * than the copy, and then sees to it that nothing the replica knows is lost. Knows nothing of the callers of the
 * registry.
 *
 * A registry is *whole* while Redis has all that any replica knows. A loss (or the very first start, which looks the
 * same) ends that, until each replica has told what it knew: write-back.ts and lua/settle.lua. Only a whole registry
 * is a current list.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServerId } from '../game-server.ts';
import type { Clock, RegistryEvents } from '../registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ChangedGameServer, ChangesPage } from './feed.ts';
import { ListCopy } from './list-copy.ts';
import { isDamage, isOutage } from './retry.ts';
import type { Scripts } from './scripts.ts';
import { findLost, UnseenWrites, writeBack } from './write-back.ts';

/**
 * `epoch`: Redis has another registry, or none. `rollback`: it is behind the copy. `digest`: at the same place, with
 * other content. `floor`: the copy is so far behind that removals it missed are forgotten. `reset`: the registry was
 * emptied on purpose. `damage`: somebody else has changed our keys.
 */
export type ReloadReason = 'epoch' | 'rollback' | 'digest' | 'floor' | 'reset' | 'damage';

export interface FeedEvents extends RegistryEvents {
  /** The copy was of another history than Redis, and is loaded anew. */
  readonly onReload: (reason: ReloadReason) => void;
  /** So many that Redis had lost are listed again. */
  readonly onRestored: (count: number) => void;
  /** A key of ours was of another type, and was deleted. */
  readonly onWrongType: (key: string) => void;
}

export interface FeedFollowerOptions {
  readonly scripts: Scripts;
  readonly clock: Clock;
  readonly writesBack: boolean;
  /** How long replicas wait for each other after a loss. Real ms. */
  readonly settleMs: number;
  readonly events: Partial<FeedEvents>;
  /** Aborted when the registry closes. */
  readonly signal: AbortSignal;
}

/** The list as it was in Redis at `at`, ms by the clock. */
export interface CurrentList {
  readonly snapshot: Snapshot;
  readonly at: number;
  /** The last loss that had been mended by then: RegistryHealth. */
  readonly loss: string;
}

/** Nothing of these has to be told to Redis. */
const HARMLESS: readonly ReloadReason[] = ['floor', 'reset'];

const SETTLE_CHECK_INTERVAL_MS = 20;
/** Mending takes a look at every entry of Redis, and makes all replicas load the list anew. */
const MEND_INTERVAL_MS = 250;
const MOST_MENDS_IN_A_ROW = 3;
/** Each may be as large as the list. */
const MOST_GIVEN_UP = 3;

export class FeedFollower {
  /** What callers of this replica wrote since the last look. */
  readonly unseen = new UnseenWrites();
  readonly #options: FeedFollowerOptions;
  /** The last complete one. */
  #copy = new ListCopy();
  /** The one that is to take its place, as Redis has another history. */
  #next: ListCopy | undefined;
  /** Whether Redis may lack what the copies know. */
  #mayHaveLost = false;
  /** When this replica noticed that, before Redis had a name for the loss. */
  #noticedAt = Infinity;
  /** Whether the others may be kept waiting for it: not if Redis refuses to take it. */
  #mayHold = true;
  /** Copies that were begun in between, and given up as Redis changed its history once more: the latest. */
  #givenUp: ListCopy[] = [];
  #current: CurrentList | undefined;
  #isSettling = false;
  /** The last loss, mended or not, and when this replica first saw it, ms of a clock that nobody sets. */
  #loss: { readonly name: string | undefined; readonly seenAt: number } = { name: undefined, seenAt: 0 };
  #mendedAt = -Infinity;
  #mending: Promise<void> | undefined;
  #suspects = new Map<GameServerId, boolean>();
  #massIsSilent = false;

  constructor(options: FeedFollowerOptions) {
    this.#options = options;
  }

  /** The last list that was current; undefined before the first. */
  get current(): CurrentList | undefined {
    return this.#current;
  }

  /** Whether Redis may lack what some replica knows, as far as this one has seen. */
  get isSettling(): boolean {
    return this.#isSettling;
  }

  /** The entry as this replica knows it. */
  get(id: GameServerId): ChangedGameServer | undefined {
    return this.unseen.get(id) ?? this.#copy.get(id);
  }

  /** Restores the record of an id that is listed in Redis; where this replica does not know it, another one does. */
  async restoreRecord(id: GameServerId): Promise<void> {
    const { scripts, writesBack } = this.#options;
    const entry = writesBack ? this.get(id) : undefined;
    if (entry === undefined) await this.mend([id], true);
    else await scripts.restore({ version: this.#copy.position.cursor, removed: [], listed: [entry] });
  }

  /**
   * Puts damaged keys in order; every replica then compares its copy. All who ask for it together share it.
   * `suspects`: the ids of records that may be damaged, or surely are.
   */
  mend(suspects: readonly GameServerId[] = [], isSure = false): Promise<void> {
    for (const id of suspects) this.#suspects.set(id, isSure || this.#suspects.get(id) === true);
    this.#mending ??= this.#mendSoon().finally(() => {
      this.#mending = undefined;
    });
    return this.#mending;
  }

  async #mendSoon(): Promise<void> {
    const { scripts, signal } = this.#options;
    const pauseMs = this.#mendedAt + MEND_INTERVAL_MS - performance.now();
    await delay(Math.max(0, pauseMs), undefined, { signal });
    this.#mendedAt = performance.now();
    const suspects = this.#suspects;
    this.#suspects = new Map();
    await scripts.mend(suspects);
  }

  /**
   * Brings the copy to a state that Redis had during the call, page after page, and resolves with it once the registry
   * is whole. A copy that turns out to be of another history stays as it is until a new one is complete, and Redis has
   * back what it lost. `mustWrite`: fails if Redis takes no writes.
   */
  async catchUp(mustWrite: () => boolean): Promise<CurrentList> {
    const { clock, signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const at = clock.now();
      const written = this.unseen.count;
      const page = await this.#nextPage(mustWrite());
      this.#tell(page);
      if (!this.#latest.continuesWith(page)) this.#beginAnew(this.#latest.reasonToReload(page));
      this.#latest.apply(page);
      if (page.damaged.length > 0) {
        await this.mend(page.damaged, true);
        this.#beginAnew('damage');
      } else if (!page.more && (await this.#isCurrent(page, written))) {
        this.unseen.forget(written);
        return this.#confirm(at, page);
      }
    }
  }

  get #latest(): ListCopy {
    return this.#next ?? this.#copy;
  }

  #beginAnew(reason: ReloadReason): void {
    const { writesBack, events } = this.#options;
    this.#mayHaveLost ||= writesBack && !HARMLESS.includes(reason);
    this.#isSettling ||= this.#mayHaveLost;
    if (this.#mayHaveLost) this.#noticedAt = Math.min(this.#noticedAt, performance.now());
    if (this.#next !== undefined && !this.#next.isEmpty)
      this.#givenUp = [...this.#givenUp, this.#next].slice(-MOST_GIVEN_UP);
    this.#next = new ListCopy();
    events.onReload?.(reason);
  }

  /** Whether the latest copy, up to this page, is the list. If not, does what there is to do about it. */
  async #isCurrent(page: ChangesPage, written: number): Promise<boolean> {
    const { health } = page;
    if (!health.isWhole) this.#isSettling = true;
    if (health.loss !== this.#loss.name) {
      this.#loss = { name: health.loss, seenAt: Math.min(this.#noticedAt, performance.now()) };
      this.#noticedAt = Infinity;
    }

    const copy = this.#latest;
    const isFollowed = this.#next === undefined && this.#current !== undefined;
    if (isFollowed && !copy.agreesWith(page)) this.#beginAnew('digest');
    else if (isFollowed && !this.unseen.areKnownTo(copy, written)) this.#beginAnew('rollback');
    else if (this.#mayHaveLost) await this.#writeBack(copy);
    else if (!health.isWhole || !this.#hasWaitedForOthers) await this.#settle(copy, page);
    else if (copy.agreesWith(page)) return true;
    else {
      // Just loaded, so it is Redis that is wrong.
      await this.mend();
      this.#beginAnew('damage');
    }
    return false;
  }

  #confirm(at: number, { health }: ChangesPage): CurrentList {
    const last = this.#current?.snapshot;
    const unchanged = this.#next === undefined && this.#copy.position.cursor === last?.version;
    this.#copy = this.#latest;
    this.#next = undefined;
    this.#givenUp = [];
    this.#isSettling = false;
    this.#noticedAt = Infinity;
    this.#current = { snapshot: unchanged ? last : this.#copy.build(), at, loss: health.loss };
    return this.#current;
  }

  async #nextPage(mustWrite: boolean): Promise<ChangesPage> {
    for (let mends = 0; ; mends += 1) {
      try {
        return await this.#options.scripts.changes(this.#latest.position, mustWrite);
      } catch (error) {
        if (!isDamage((error as Error).cause) || mends === MOST_MENDS_IN_A_ROW) throw error;
        await this.mend();
      }
    }
  }

  /**
   * A replica without a list cannot notice by itself that Redis has lost something just now. It waits until the others
   * have, and after a loss until they have told what they knew.
   */
  get #hasWaitedForOthers(): boolean {
    return this.#current !== undefined || this.#msSinceLoss >= this.#options.settleMs;
  }

  get #msSinceLoss(): number {
    return performance.now() - this.#loss.seenAt;
  }

  /** Gives Redis what this replica knew and `copy`, which is what Redis has, does not. */
  async #writeBack(copy: ListCopy): Promise<void> {
    const { scripts, settleMs, signal, events } = this.#options;
    const lost = findLost([this.#copy, ...this.#givenUp], this.unseen, copy);
    copy.remember(lost.removed);
    const isHeld = lost.isMissing && this.#mayHold;
    const restored = await writeBack(scripts, lost, { isHeld, settleMs, signal }).catch((error: Error) => {
      this.#mayHold = isOutage(error.cause);
      throw error;
    });
    this.#mayHold = true;
    this.#mayHaveLost = false;
    if (restored > 0) events.onRestored?.(restored);
  }

  /** Resolves after a while; the next page tells whether the registry is whole. */
  async #settle(copy: ListCopy, page: ChangesPage): Promise<void> {
    const { scripts, settleMs, signal } = this.#options;
    const waitMs = 2 * settleMs - this.#msSinceLoss;
    if (page.health.isWhole || waitMs > 0) {
      await delay(Math.min(SETTLE_CHECK_INTERVAL_MS, Math.max(waitMs, 1)), undefined, { signal });
      return;
    }
    const isWhole = await scripts.settle(page.epoch, page.health.loss, copy.digestOffset(page));
    if (!isWhole) await delay(SETTLE_CHECK_INTERVAL_MS, undefined, { signal });
  }

  #tell({ expired, silent, count, wrongTypes }: ChangesPage): void {
    const { events } = this.#options;
    if (expired.length > 0) events.onExpired?.(expired);
    for (const key of wrongTypes) events.onWrongType?.(key);
    if (silent > 0 === this.#massIsSilent) return;
    this.#massIsSilent = silent > 0;
    if (this.#massIsSilent) events.onExpiryHeld?.({ silent, listed: count });
    else events.onExpiryReleased?.();
  }
}
