/** Emits the events of each batch of the feed, to be logged or counted, and what it shows of a refusal of writes. */

import type { GameServerId, ListedGameServer } from '../../../model/game-server.ts';
import type { FollowerEvents } from '../events.ts';
import type { WriteRefusals } from '../write-refusals.ts';
import type { ChangesBatch } from './changes-batch.ts';

/** Returns a function that emits the events of one batch. `find` returns an entry as this replica knows it. */
export function createBatchReport(
  events: Partial<FollowerEvents>,
  refusals: Pick<WriteRefusals, 'note' | 'noteSuccess'>,
  find: (id: GameServerId) => ListedGameServer | undefined,
): (batch: ChangesBatch) => void {
  let isExpiryHeld = false;
  return ({ expired, silent, count, wrongTypes, changed, playerChanges, tombstones, refusal }) => {
    if (refusal === '') refusals.noteSuccess();
    else refusals.note(new Error(refusal));
    const changes = changed.length + playerChanges.length + tombstones.length;
    if (changes > 0) events.onChanges?.(changes);
    if (expired.length > 0) events.onExpired?.(expired.map((id) => find(id) ?? { id }));
    for (const key of wrongTypes) events.onWrongType?.(key);
    if (silent > 0 === isExpiryHeld) return;
    isExpiryHeld = silent > 0;
    if (isExpiryHeld) events.onExpiryHeld?.({ silent, listed: count });
    else events.onExpiryReleased?.();
  };
}
