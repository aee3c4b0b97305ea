/**
 * What a replica does for a Redis that lost data (wiped, restarted without all of its data, failed over to a node
 * that lagged): it tells what it knew, first who had left, then who was listed. The script decides what of it is news.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServer, GameServerId } from '../game-server.ts';
import type { ListCopy } from './list-copy.ts';
import type { ChangedGameServer, Memory, Scripts, Tombstone } from './scripts.ts';

/**
 * Until then every other replica has noticed the loss as well, and is as far as this one: it looks at Redis more often
 * than that, and reconnects so soon. So nobody is listed again whose removal only another replica knew of, and the
 * list is complete when it is called current.
 */
export const SETTLE_MS = 280;

/** Entries a call carries at most: a few ms of Redis. */
const BATCH_SIZE = 500;

/** A change this replica made: what it then said of itself, or undefined if it was removed. */
interface AcknowledgedChange {
  readonly version: number;
  readonly listed: GameServer | undefined;
  readonly number: number;
}

/**
 * The changes this replica made and its copy may not show yet: the last of each id. They are few: what was
 * acknowledged since the last look at the feed.
 */
export class Acknowledged {
  readonly #changes = new Map<GameServerId, AcknowledgedChange>();
  #count = 0;

  /** How many were ever noted: tells those noted so far from later ones. */
  get count(): number {
    return this.#count;
  }

  noteListed(id: GameServerId, version: number, gameServer: GameServer): void {
    this.#changes.set(id, { version, listed: gameServer, number: (this.#count += 1) });
  }

  noteRemoved(id: GameServerId, version: number): void {
    this.#changes.set(id, { version, listed: undefined, number: (this.#count += 1) });
  }

  /** Whether the copy knows of those noted up to this count. If not, it is of another history. */
  areKnownTo(copy: ListCopy, count: number): boolean {
    for (const [id, { version, listed, number }] of this.#changes) {
      const known = (listed && copy.versionOf(id)) ?? copy.leftAt(id) ?? 0;
      if (number <= count && known < version) return false;
    }
    return true;
  }

  forget(count: number): void {
    for (const [id, { number }] of this.#changes) if (number <= count) this.#changes.delete(id);
  }

  *listed(): Iterable<ChangedGameServer> {
    for (const [id, { version, listed }] of this.#changes) {
      if (listed !== undefined) yield { ...listed, id, version, registeredAt: version };
    }
  }

  *removed(): Iterable<Tombstone> {
    for (const [id, { version, listed }] of this.#changes) {
      if (listed === undefined) yield { id, version, revivable: false };
    }
  }
}

/** What the copy of before and the acknowledged changes know better than the copy of what Redis has now. */
export function recall(before: ListCopy, acknowledged: Acknowledged, now: ListCopy): Memory {
  const removed = new Map<GameServerId, Tombstone>();
  for (const source of [before, acknowledged]) {
    for (const tombstone of source.removed()) removed.set(tombstone.id, tombstone);
  }
  const listed = [...before.listedUnlikeIn(now), ...acknowledged.listed()].filter(
    ({ id, version }) => (removed.get(id)?.version ?? 0) < version,
  );
  return { version: before.position.cursor, removed: [...removed.values()], listed };
}

/** Resolves with how many are listed again, once all replicas have told what they knew. Rejects when the signal says that the replica is closing. */
export async function writeBack(
  scripts: Scripts,
  { version, removed, listed }: Memory,
  { settleMs, signal }: { readonly settleMs: number; readonly signal: AbortSignal },
): Promise<number> {
  for (const batch of batchesOf(removed)) await scripts.restore({ version, removed: batch, listed: [] });
  await delay(settleMs, undefined, { signal });
  let restored = 0;
  for (const batch of batchesOf(listed)) {
    signal.throwIfAborted();
    restored += await scripts.restore({ version, removed: [], listed: batch });
  }
  await delay(settleMs, undefined, { signal });
  return restored;
}

function* batchesOf<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let i = 0; i < all.length; i += BATCH_SIZE) yield all.slice(i, i + BATCH_SIZE);
}
