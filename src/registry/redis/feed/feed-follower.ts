/**
 * Keeps this replica's copy of the list at what Redis has: follows the feed, notices when Redis has another history
 * than the copy, and then has written back what this replica knows and Redis lost. Knows nothing of the callers of the
 * registry.
 *
 * A registry is *whole* while Redis has all that any replica knows. A loss (or the very first start, which looks the
 * same) ends that, until each replica has told what it knew: write-back.ts and lua/declare-whole.lua. Only the list of
 * a whole registry is current.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServerId, ListedGameServer } from '../../game-server.ts';
import type { Clock } from '../../registry.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { FeedEvents, ReloadReason } from '../events.ts';
import type { ChangesPage } from './feed.ts';
import { ListCopy } from './list-copy.ts';
import { Mender } from '../recovery/mender.ts';
import { hasPausedSince } from '../recovery/pulse.ts';
import { isDamage, isOutage } from '../scripts/retry.ts';
import type { Scripts } from '../scripts/scripts.ts';
import type { SettingsKeeper } from '../settings-keeper.ts';
import { findLost, lacksAny, lacksClaim, UnseenWrites, writeBack } from '../recovery/write-back.ts';

export interface FeedFollowerOptions {
  readonly scripts: Scripts;
  readonly settings: SettingsKeeper;
  readonly clock: Clock;
  readonly writesBack: boolean;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
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

/** After a reload for these nothing has to be written back. */
const HARMLESS: readonly ReloadReason[] = ['floor', 'reset'];

/** How often to look whether the other replicas have told what they knew. */
const WHOLE_CHECK_INTERVAL_MS = 20;
const MOST_MENDS_IN_A_ROW = 3;
/** Each may be as large as the list. */
const MOST_GIVEN_UP = 3;

export class FeedFollower {
  /** What callers of this replica wrote since the last poll. */
  readonly unseen = new UnseenWrites();
  readonly #options: FeedFollowerOptions;
  readonly #mender: Mender;
  /** The last complete one. */
  #copy: ListCopy;
  /** The one that is to take its place, as Redis has another history. */
  #next: ListCopy | undefined;
  /** Whether Redis may lack what the copies know. */
  #mayHaveLost = false;
  /** When this replica last noticed that, before Redis had a name for the loss. */
  #noticedAt = Infinity;
  /** Whether the other replicas may be kept waiting for this one: not if Redis refuses to take what it writes back. */
  #mayHold = true;
  /** Copies that were begun in between, and given up as Redis changed its history once more: the latest. */
  #givenUp: ListCopy[] = [];
  #current: CurrentList | undefined;
  #isIncomplete = false;
  /** The last loss, mended or not, and when this replica first saw it, ms of a clock that is never set. */
  #loss: { readonly name: string | undefined; readonly seenAt: number } = { name: undefined, seenAt: 0 };
  #isExpiryHeld = false;

  constructor(options: FeedFollowerOptions) {
    this.#options = options;
    this.#copy = new ListCopy(options.settings.isShown, 0);
    this.#mender = new Mender(options.scripts, options.lossNoticeMs, options.signal);
  }

  /** The last list that was current; undefined before the first. */
  get current(): CurrentList | undefined {
    return this.#current;
  }

  /** The list, if it was current no more than so many ms ago. */
  currentWithin(ms: number): Snapshot | undefined {
    const { snapshot, at = -Infinity } = this.#current ?? {};
    return this.#isIncomplete || Math.abs(this.#options.clock.now() - at) > ms ? undefined : snapshot;
  }

  /** Whether Redis may lack what some replica knows, as far as this one has seen. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** All listed entries, shown or not, as this replica knows them. */
  entries(): Iterable<ListedGameServer> {
    return this.#copy.entries();
  }

  /** The entry as this replica knows it. */
  get(id: GameServerId): ListedGameServer | undefined {
    if (this.unseen.hasRemoved(id)) return undefined;
    return this.unseen.get(id) ?? this.#copy.get(id);
  }

  /** The unlisted entry with this join code, as this replica knows it. */
  withJoinCode(code: string): ListedGameServer | undefined {
    return this.#copy.withJoinCode(code);
  }

  /** Restores the record of an id that is listed in Redis. If this replica does not know it, another one does it. */
  async restoreRecord(id: GameServerId): Promise<void> {
    const { scripts, writesBack } = this.#options;
    const entry = writesBack ? this.get(id) : undefined;
    if (entry === undefined) await this.#mender.mend([id], this.#latest.position.epoch);
    else await scripts.restore({ version: this.#copy.position.cursor, tombstones: [], listed: [entry] });
  }

  /** Puts damaged keys in order; every replica then compares its copy. `suspects`: ids whose records may be damaged. */
  mend(suspects: readonly GameServerId[]): Promise<void> {
    return this.#mender.mend(suspects);
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
      this.#report(page);
      const isFollowing = this.#next === undefined && this.#current !== undefined && !page.full;
      if (isFollowing && lacksClaim(page, this.#copy, this.unseen)) {
        this.#beginAnew('rollback');
        continue;
      }
      if (!this.#latest.continuesWith(page)) this.#beginAnew(this.#latest.reasonToReload(page), page.count);
      this.#latest.apply(page);
      if (page.damaged.length > 0) {
        await this.#mender.mend(page.damaged, page.epoch);
        this.#beginAnew('damage');
      } else if (!page.more && (await this.#isCurrent(page, written))) {
        this.unseen.drop(written);
        return this.#makeCurrent(at, page);
      }
    }
  }

  get #latest(): ListCopy {
    return this.#next ?? this.#copy;
  }

  async #nextPage(mustWrite: boolean): Promise<ChangesPage> {
    for (let mends = 0; ; mends += 1) {
      try {
        return await this.#options.scripts.changes(this.#latest.position, mustWrite);
      } catch (error) {
        if (!isDamage((error as Error).cause) || mends === MOST_MENDS_IN_A_ROW) throw error;
        await this.#mender.mend();
      }
    }
  }

  #report(page: ChangesPage): void {
    const { events } = this.#options;
    const { expired, silent, count, wrongTypes, changed, playerChanges, tombstones } = page;
    const changes = changed.length + playerChanges.length + tombstones.length;
    if (changes > 0) events.onChanges?.(changes);
    if (expired.length > 0) events.onExpired?.(expired.map((id) => this.get(id) ?? { id }));
    for (const key of wrongTypes) events.onWrongType?.(key);
    if (silent > 0 === this.#isExpiryHeld) return;
    this.#isExpiryHeld = silent > 0;
    if (this.#isExpiryHeld) events.onExpiryHeld?.({ silent, listed: count });
    else events.onExpiryReleased?.();
  }

  #beginAnew(reason: ReloadReason, count?: number): void {
    const { writesBack, events } = this.#options;
    this.#mayHaveLost ||= writesBack && !HARMLESS.includes(reason);
    this.#isIncomplete ||= this.#mayHaveLost;
    if (this.#mayHaveLost) this.#noticedAt = performance.now();
    if (this.#next !== undefined && !this.#next.isEmpty)
      this.#givenUp = [...this.#givenUp, this.#next].slice(-MOST_GIVEN_UP);
    const { isShown, moderationVersion } = this.#options.settings;
    this.#next = new ListCopy(isShown, moderationVersion);
    events.onReload?.(reason, count);
  }

  /** Whether the latest copy, up to this page, is the list. If not, does the next step towards it. */
  async #isCurrent(page: ChangesPage, written: number): Promise<boolean> {
    const { health } = page;
    if (!health.isWhole) this.#isIncomplete = true;
    if (health.loss !== this.#loss.name) {
      // After a pause it may be a later loss than the one that was noticed.
      const seenAt = hasPausedSince(this.#noticedAt) ? Infinity : this.#noticedAt;
      this.#loss = { name: health.loss, seenAt: Math.min(seenAt, performance.now()) };
      this.#noticedAt = Infinity;
    }

    const copy = this.#latest;
    const isFollowed = this.#next === undefined && this.#current !== undefined;
    if (isFollowed && !copy.agreesWith(page)) this.#beginAnew('digest');
    else if (isFollowed && !this.unseen.areSeenIn(copy, written)) this.#beginAnew('rollback');
    else if (this.#mayHaveLost) await this.#writeBack(copy);
    else if (!health.isWhole || !this.#hasWaitedForOthers) await this.#awaitWhole(copy, page);
    else if (page.moderationVersion !== this.#options.settings.moderationVersion)
      await this.#followSettings();
    else if (copy.agreesWith(page)) {
      await this.#learnSecret();
      return true;
    } else {
      // The copy was just loaded, so Redis is wrong.
      await this.#mender.mend();
      this.#beginAnew('damage');
    }
    return false;
  }

  #makeCurrent(at: number, { epoch, health }: ChangesPage): CurrentList {
    // A loss may have taken changes that clients have seen.
    const history = health.loss || epoch;
    const last = this.#current?.snapshot;
    const unchanged =
      this.#next === undefined &&
      this.#copy.position.cursor === last?.version &&
      this.#current?.loss === health.loss;
    this.#copy = this.#latest;
    this.#next = undefined;
    this.#givenUp = [];
    this.#isIncomplete = false;
    this.#noticedAt = Infinity;
    this.#current = { snapshot: unchanged ? last : this.#copy.build(history), at, loss: health.loss };
    return this.#current;
  }

  /**
   * A replica without a list cannot notice by itself that Redis has lost something just now. It waits until the others
   * have noticed it, and after a loss until they have told what they knew.
   */
  get #hasWaitedForOthers(): boolean {
    return this.#current !== undefined || this.#msSinceLoss >= this.#options.lossNoticeMs;
  }

  get #msSinceLoss(): number {
    return performance.now() - this.#loss.seenAt;
  }

  /** A Redis that takes no writes has none to tell, perhaps. The list can be read all the same. */
  async #learnSecret(): Promise<void> {
    const { settings } = this.#options;
    if (settings.secret === undefined) await settings.tell().catch(() => undefined);
  }

  async #followSettings(): Promise<void> {
    const { settings } = this.#options;
    const followed = await settings.follow();
    if (followed === 'nothing') return;
    const { moderationVersion } = settings;
    for (const copy of [this.#copy, this.#next]) {
      await copy?.reconsider(moderationVersion);
      // An entry may have gone and come back, or come and gone: other replicas have told their clients.
      if (followed === 'some' || this.#current === undefined) copy?.forgetShown(moderationVersion);
    }
  }

  /** Gives Redis what this replica knew and `copy`, which is what Redis has, does not. */
  async #writeBack(copy: ListCopy): Promise<void> {
    const { scripts, settings, lossNoticeMs, signal, events } = this.#options;
    await settings.tell();
    const lost = await findLost([this.#copy, ...this.#givenUp], this.unseen, copy);
    const holds = (await lacksAny(copy, lost)) && this.#mayHold;
    copy.addTombstones(lost.tombstones);
    const restored = await writeBack(scripts, lost, { holds, lossNoticeMs, signal }).catch(
      async (error: Error) => {
        this.#mayHold = isOutage(error.cause);
        if (isDamage(error.cause)) await this.#mender.mend();
        throw error;
      },
    );
    this.#mayHold = true;
    this.#mayHaveLost = false;
    if (restored.length > 0) events.onRestored?.(restored);
  }

  /** Resolves after a while; the next page tells whether the registry is whole. */
  async #awaitWhole(copy: ListCopy, page: ChangesPage): Promise<void> {
    const { scripts, settings, lossNoticeMs, signal } = this.#options;
    await settings.tell();
    const waitMs = 2 * lossNoticeMs - this.#msSinceLoss;
    if (page.health.isWhole || waitMs > 0) {
      await delay(Math.min(WHOLE_CHECK_INTERVAL_MS, Math.max(waitMs, 1)), undefined, { signal });
      return;
    }
    const isWhole = await scripts.declareWhole(page.epoch, page.health.loss, copy.digestOffset(page));
    if (!isWhole) await delay(WHOLE_CHECK_INTERVAL_MS, undefined, { signal });
  }
}
