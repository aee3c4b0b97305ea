/**
 * Keeps this replica's copy of the list at what Redis has: follows the feed, notices when Redis is of another epoch
 * than the copy, and then has written back what this replica knows and Redis lost.
 *
 * A registry is *whole* while Redis has all that any replica knows. A loss (or the very first start, which looks the
 * same) ends that, until each replica has told what it knew: write-back.ts and lua/declare-whole.lua. Only the list of
 * a whole registry is current.
 */

import type { GameServerId, ListedGameServer } from '../../../model/game-server.ts';
import type { Clock } from '../../registry.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Documents } from '../documents.ts';
import type { ReloadReason } from '../events.ts';
import { createBatchReport } from './batch-report.ts';
import { decide, type FollowerState, type Step } from './follow-step.ts';
import { positionAfter, type ChangesBatch, type FollowerPosition } from './changes-batch.ts';
import { ListCopy, type ConfirmedList } from './list-copy.ts';
import { LossRecovery, type LossRecoveryOptions } from '../recovery/loss-recovery.ts';
import { Mender } from '../recovery/mender.ts';
import { lacksClaim, UnseenWrites } from '../recovery/write-back.ts';
import type { WriteRefusals } from '../write-refusals.ts';

export interface FollowerOptions extends Omit<LossRecoveryOptions, 'mender'> {
  readonly clock: Clock;
  readonly writesBack: boolean;
  readonly documents: Documents;
  readonly refusals: Pick<WriteRefusals, 'note' | 'noteSuccess'>;
}

/** A batch that Redis has been asked for. */
interface Asked {
  /** When Redis was asked, in ms by the clock. */
  readonly at: number;
  /** How many writes were noted by then. */
  readonly written: number;
  readonly batch: Promise<ChangesBatch>;
}

/** The reasons of a reload after which nothing has to be written back. */
const HARMLESS: readonly ReloadReason[] = ['floor', 'reset'];

/** The most copies that are kept after they were given up: each may be as large as the list. */
const MOST_GIVEN_UP = 3;

export class Follower {
  /** The writes of this replica's callers since the last poll. */
  readonly unseen = new UnseenWrites();
  readonly #options: FollowerOptions;
  readonly #mender: Mender;
  readonly #recovery: LossRecovery;
  readonly #report: (batch: ChangesBatch) => void;
  /** The last complete copy. */
  #copy: ListCopy;
  /** The copy that is to take its place, since Redis is of another epoch. */
  #next: ListCopy | undefined;
  /** Whether Redis may lack what the copies know. */
  #mayHaveLost = false;
  /** The latest copies that were begun in between, and given up when Redis changed its epoch once more. */
  #givenUp: ListCopy[] = [];
  #current: ConfirmedList | undefined;
  #isIncomplete = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#copy = new ListCopy(options.settings.appearance, 0);
    this.#mender = new Mender(options.scripts, options.lossNoticeMs, options.signal);
    this.#recovery = new LossRecovery({ ...options, mender: this.#mender });
    this.#report = createBatchReport(options.events, options.refusals, (id) => this.get(id));
  }

  /** The last list that was current; undefined before the first. */
  get current(): ConfirmedList | undefined {
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
    return this.unseen.getOr(id, this.#copy);
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
   * Brings the copy to a state that Redis had during the call, batch after batch, and resolves with it once the
   * registry is whole. A copy that is found to be of another epoch stays as it is until a new one is complete, and
   * Redis has back what it lost. `mustWrite`: fails if Redis takes no writes.
   *
   * Redis reads a batch while the one before it is applied. What has come is judged only when that is done.
   */
  async catchUp(mustWrite: () => boolean): Promise<ConfirmedList> {
    let ahead: Asked | undefined;
    for (;;) {
      this.#options.signal.throwIfAborted();
      const asked = ahead ?? this.#ask(this.#latest.position, mustWrite());
      ahead = undefined;
      const batch = await asked.batch;
      this.#report(batch);
      if (this.#isFollowing && !batch.full && lacksClaim(batch, this.#copy, this.unseen)) {
        this.#beginAnew('rollback');
        continue;
      }
      if (!this.#latest.continuesWith(batch))
        this.#beginAnew(this.#latest.reasonToReload(batch), batch.count);
      if (batch.more && batch.damaged.length === 0) ahead = this.#ask(positionAfter(batch), mustWrite());
      await this.#latest.apply(batch);
      this.#options.documents.followAll(batch);
      if (batch.damaged.length > 0) {
        await this.#mender.mend(batch.damaged, batch.epoch);
        this.#beginAnew('damage');
      } else if (!batch.more) {
        this.#isIncomplete ||= !batch.health.isWhole;
        // A replica that has slept found this loss: only the others may know what was removed meanwhile. Or what was
        // written back is lost again, and the latest copy has never had it.
        if (this.#recovery.nameLoss(batch.health.loss, this.#isFollowing) && this.#current !== undefined)
          this.#mayHaveLost ||= this.#options.writesBack;
        const step = decide(this.#latest, batch, this.#stateAfter(asked.written));
        await this.#perform(step, batch);
        if (step.do === 'make_current') {
          this.unseen.drop(asked.written);
          return this.#makeCurrent(asked.at, batch);
        }
      }
    }
  }

  #ask(position: FollowerPosition, mustWrite: boolean): Asked {
    const { scripts, clock } = this.#options;
    const at = clock.now();
    const written = this.unseen.count;
    const batch = this.#mender.untilSound(() => scripts.changes(position, mustWrite));
    // Nobody may be waiting for it yet.
    batch.catch(() => undefined);
    return { at, written, batch };
  }

  get #latest(): ListCopy {
    return this.#next ?? this.#copy;
  }

  /** Whether the latest copy has been the list before. */
  get #isFollowing(): boolean {
    return this.#next === undefined && this.#current !== undefined;
  }

  #beginAnew(reason: ReloadReason, count?: number): void {
    const { writesBack, events } = this.#options;
    this.#mayHaveLost ||= writesBack && !HARMLESS.includes(reason);
    this.#isIncomplete ||= this.#mayHaveLost;
    if (this.#mayHaveLost) this.#recovery.notice();
    if (this.#next !== undefined && !this.#next.isEmpty)
      this.#givenUp = [...this.#givenUp, this.#next].slice(-MOST_GIVEN_UP);
    const { appearance, moderationVersion } = this.#options.settings;
    this.#next = new ListCopy(appearance, moderationVersion);
    events.onReload?.(reason, count);
  }

  /** `written`: how many writes were noted when the batch was asked for. */
  #stateAfter(written: number): FollowerState {
    const { settings, lossNoticeMs } = this.#options;
    return {
      isFollowing: this.#isFollowing,
      showsOwnWrites: this.#isFollowing && this.unseen.areSeenIn(this.#copy, written),
      mayHaveLost: this.#mayHaveLost,
      hasWaitedForOthers: this.#current !== undefined || this.#recovery.msSinceLoss >= lossNoticeMs,
      moderationVersion: settings.moderationVersion,
    };
  }

  async #perform(step: Step, batch: ChangesBatch): Promise<void> {
    const { settings } = this.#options;
    switch (step.do) {
      case 'begin_anew':
        return this.#beginAnew(step.reason);
      case 'write_back':
        await this.#recovery.writeBack([this.#copy, ...this.#givenUp], this.unseen, this.#latest);
        this.#mayHaveLost = false;
        return;
      case 'await_whole':
        return this.#recovery.awaitWhole(this.#latest, batch);
      case 'follow_settings':
        return this.#followSettings();
      case 'mend':
        await this.#mender.mend();
        return this.#beginAnew('damage');
      case 'make_current':
        // A Redis that takes no writes has no secret to tell, perhaps. The list can be read all the same.
        if (settings.secret === undefined) await settings.tell().catch(() => undefined);
    }
  }

  #makeCurrent(at: number, { epoch, health }: ChangesBatch): ConfirmedList {
    // A loss may have taken changes that clients have seen.
    const history = health.loss || epoch;
    const last = this.#current?.snapshot;
    const { cursor } = this.#copy.position;
    const { documents } = this.#options;
    if (this.#next !== undefined) documents.keepOnly((id) => this.#latest.get(id) !== undefined);
    void documents.fetch();
    const unchanged = this.#isFollowing && cursor === last?.version && this.#current?.loss === health.loss;
    this.#copy = this.#latest;
    this.#next = undefined;
    this.#givenUp = [];
    this.#isIncomplete = false;
    this.#recovery.forgetNotice();
    this.#current = { snapshot: unchanged ? last : this.#copy.build(history), at, loss: health.loss };
    return this.#current;
  }

  async #followSettings(): Promise<void> {
    const { settings } = this.#options;
    const followed = await settings.follow();
    if (followed === 'nothing') return;
    // An entry may have gone and come back, or come and gone: other replicas have told their clients.
    const isKnown = followed !== 'some' && this.#current !== undefined;
    for (const copy of [this.#copy, this.#next]) await copy?.reconsider(settings.moderationVersion, isKnown);
  }
}
