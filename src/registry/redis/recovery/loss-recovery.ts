/**
 * Recovers from a loss of Redis: this replica writes back what it knew, waits until the others have done so too, and
 * then declares the registry whole. The wait counts from the moment at which it first saw the loss.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { FollowerEvents } from '../events.ts';
import type { ChangesBatch } from '../follower/changes-batch.ts';
import type { ListCopy } from '../follower/list-copy.ts';
import { isDamage, isOutage } from '../scripts/retry.ts';
import type { Scripts } from '../scripts/scripts.ts';
import type { SettingsKeeper } from '../settings-keeper.ts';
import type { Mender } from './mender.ts';
import type { Pulse } from '../../../runtime/pulse.ts';
import { findLost, lacksAny, writeBack, type UnseenWrites } from './write-back.ts';

/** How often to check whether the other replicas have written back what they knew. */
const WHOLE_CHECK_INTERVAL_MS = 20;

export interface LossRecoveryOptions {
  readonly scripts: Scripts;
  readonly settings: SettingsKeeper;
  readonly mender: Mender;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
  readonly events: Partial<FollowerEvents>;
  readonly pulse: Pick<Pulse, 'hasPausedSince'>;
  /** The signal is aborted when the registry closes. */
  readonly signal: AbortSignal;
}

/**
 * The beginning of the name that a replica gives to a loss when it writes back, for the registry to wait for it: see
 * lua/restore.lua. Redis has lost nothing at that moment.
 */
const HELD = 'held.';

export class LossRecovery {
  readonly #options: LossRecoveryOptions;
  /** When this replica last noticed a loss that Redis has not named yet, by performance.now(). */
  #noticedAt = Infinity;
  /** The last loss, mended or not, and when this replica first saw it, by performance.now(). */
  #loss: { readonly name: string | undefined; readonly seenAt: number } = { name: undefined, seenAt: 0 };
  /** Whether the other replicas may have to wait for this one: not if Redis refuses what it writes back. */
  #mayHold = true;

  constructor(options: LossRecoveryOptions) {
    this.#options = options;
  }

  /** Remembers that the copy shows a possible loss of Redis. */
  notice(): void {
    this.#noticedAt = performance.now();
  }

  /** Forgets the notice: the loss is mended, or has its name. */
  forgetNotice(): void {
    this.#noticedAt = Infinity;
  }

  /**
   * Receives the name of the last loss of Redis. Returns whether it is a new one, for which this replica has to write
   * back what it knows. `isFollowing`: whether the replica has not begun anew; if it has, one that another replica
   * named when it wrote back is no further loss.
   */
  nameLoss(name: string, isFollowing: boolean): boolean {
    if (name === this.#loss.name) return false;
    if (this.#loss.name !== undefined) this.#options.events.onLoss?.();
    // If the process paused since it noticed a loss, this may be a later one.
    const seenAt = this.#options.pulse.hasPausedSince(this.#noticedAt) ? Infinity : this.#noticedAt;
    this.#loss = { name, seenAt: Math.min(seenAt, performance.now()) };
    this.forgetNotice();
    return isFollowing || !name.startsWith(HELD);
  }

  get msSinceLoss(): number {
    return performance.now() - this.#loss.seenAt;
  }

  /** Writes back what earlier copies and unseen writes know and `copy`, which is what Redis has, does not. */
  async writeBack(earlier: readonly ListCopy[], unseen: UnseenWrites, copy: ListCopy): Promise<void> {
    const { scripts, settings, mender, lossNoticeMs, signal, events } = this.#options;
    await settings.tell();
    const lost = await findLost(earlier, unseen, copy);
    const holds = (await lacksAny(copy, lost)) && this.#mayHold;
    copy.addTombstones(lost.tombstones);
    const restored = await writeBack(scripts, lost, { holds, lossNoticeMs, signal }).catch(
      async (error: Error) => {
        this.#mayHold = isOutage(error.cause);
        if (isDamage(error.cause)) await mender.mend();
        throw error;
      },
    );
    this.#mayHold = true;
    if (restored.length > 0) events.onRestored?.(restored);
  }

  /** Waits a while, and declares the registry whole if it is time. The next batch has the result. */
  async awaitWhole(copy: ListCopy, batch: ChangesBatch): Promise<void> {
    const { scripts, settings, lossNoticeMs, signal } = this.#options;
    await settings.tell();
    const waitMs = 2 * lossNoticeMs - this.msSinceLoss;
    if (batch.health.isWhole || waitMs > 0) {
      await delay(Math.min(WHOLE_CHECK_INTERVAL_MS, Math.max(waitMs, 1)), undefined, { signal });
      return;
    }
    const isWhole = await scripts.declareWhole(batch.epoch, batch.health.loss, copy.digestOffset(batch));
    if (!isWhole) await delay(WHOLE_CHECK_INTERVAL_MS, undefined, { signal });
  }
}
