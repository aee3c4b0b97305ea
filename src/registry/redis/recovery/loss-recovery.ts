/**
 * What this replica does about a loss of Redis: it tells what it knew, waits until the others have told theirs, and
 * then declares the registry whole. How long that takes counts from when it first saw the loss.
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

/** How often to look whether the other replicas have told what they knew. */
const WHOLE_CHECK_INTERVAL_MS = 20;

export interface LossRecoveryOptions {
  readonly scripts: Scripts;
  readonly settings: SettingsKeeper;
  readonly mender: Mender;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
  readonly events: Partial<FollowerEvents>;
  readonly pulse: Pick<Pulse, 'hasPausedSince'>;
  /** Aborted when the registry closes. */
  readonly signal: AbortSignal;
}

export class LossRecovery {
  readonly #options: LossRecoveryOptions;
  /** When this replica last noticed a loss, before Redis had a name for it. */
  #noticedAt = Infinity;
  /** The last loss, mended or not, and when this replica first saw it, ms of a clock that is never set. */
  #loss: { readonly name: string | undefined; readonly seenAt: number } = { name: undefined, seenAt: 0 };
  /** Whether the other replicas may be kept waiting for this one: not if Redis refuses to take what it writes back. */
  #mayHold = true;

  constructor(options: LossRecoveryOptions) {
    this.#options = options;
  }

  /** The copy shows that Redis may have lost something. */
  notice(): void {
    this.#noticedAt = performance.now();
  }

  /** What was noticed is mended. */
  forgetNotice(): void {
    this.#noticedAt = Infinity;
  }

  /** Redis names its last loss. Whether that is another one than before. */
  nameLoss(name: string): boolean {
    if (name === this.#loss.name) return false;
    // After a pause it may be a later loss than the one that was noticed.
    const seenAt = this.#options.pulse.hasPausedSince(this.#noticedAt) ? Infinity : this.#noticedAt;
    this.#loss = { name, seenAt: Math.min(seenAt, performance.now()) };
    this.forgetNotice();
    return true;
  }

  get msSinceLoss(): number {
    return performance.now() - this.#loss.seenAt;
  }

  /** Gives Redis what earlier copies knew and `copy`, which is what Redis has, does not. */
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

  /** Resolves after a while; the next batch tells whether the registry is whole. */
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
