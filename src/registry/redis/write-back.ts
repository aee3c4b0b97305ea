/**
 * What a replica does for a Redis that lost data (wiped, restarted without all of its data, failed over to a node
 * that lagged, damaged): it tells what it knew, first who had left, then who was listed. The script decides what of it
 * is news.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServerId } from '../game-server.ts';
import type { ChangedGameServer, Memory, Tombstone } from './feed.ts';
import type { ListCopy } from './list-copy.ts';
import type { Scripts } from './scripts.ts';

/**
 * Until then every other replica has noticed a loss as well, and is as far as this one: it looks at Redis more often
 * than that, and reconnects so soon. So no entry is listed again whose removal only another replica knew of, and the
 * list is complete when it is called current.
 */
export const SETTLE_MS = 250;

/** Entries a call carries at most: a few ms of Redis. */
const BATCH_SIZE = 500;

/** A change this replica made: the entry since then, or undefined if it was removed. */
interface UnseenWrite {
  readonly version: number;
  readonly listed: ChangedGameServer | undefined;
  readonly number: number;
}

/**
 * The changes this replica made and its copy may not show yet: the last of each id. They are few: what was
 * acknowledged since the last look at the feed.
 */
export class UnseenWrites {
  readonly #writes = new Map<GameServerId, UnseenWrite>();
  #count = 0;

  /** How many were ever noted: tells those noted so far from later ones. */
  get count(): number {
    return this.#count;
  }

  noteListed(listed: ChangedGameServer): void {
    this.#note(listed.id, { version: listed.version, listed });
  }

  noteRemoved(id: GameServerId, version: number): void {
    this.#note(id, { version, listed: undefined });
  }

  /** The entry as this replica last wrote it, if it did so of late and it is listed. */
  get(id: GameServerId): ChangedGameServer | undefined {
    return this.#writes.get(id)?.listed;
  }

  /** Whether the copy knows of those noted up to this count. If not, it is of another history. */
  areKnownTo(copy: ListCopy, count: number): boolean {
    for (const [id, { version, number }] of this.#writes) {
      if (number <= count && (copy.lastVersionOf(id) ?? 0) < version) return false;
    }
    return true;
  }

  forget(count: number): void {
    for (const [id, { number }] of this.#writes) if (number <= count) this.#writes.delete(id);
  }

  *listed(): Iterable<ChangedGameServer> {
    for (const { listed } of this.#writes.values()) if (listed !== undefined) yield listed;
  }

  *removed(): Iterable<Tombstone> {
    for (const [id, { version, listed }] of this.#writes) {
      if (listed === undefined) yield { id, version, revivable: false };
    }
  }

  /** Answers of the same id can overtake each other: the later version counts. */
  #note(id: GameServerId, write: Omit<UnseenWrite, 'number'>): void {
    if ((this.#writes.get(id)?.version ?? 0) > write.version) return;
    this.#writes.set(id, { ...write, number: (this.#count += 1) });
  }
}

export interface LostState extends Memory {
  /** Whether Redis lacks any of it, rather than having heard later of all. */
  readonly isMissing: boolean;
}

/** What earlier copies and the unseen writes know better than the copy of what Redis has now. */
export function findLost(earlier: readonly ListCopy[], unseen: UnseenWrites, now: ListCopy): LostState {
  const removed = new Map<GameServerId, Tombstone>();
  const listed = new Map<GameServerId, ChangedGameServer>();
  for (const source of [...earlier, unseen]) {
    for (const tombstone of source.removed()) keepLatest(removed, tombstone);
  }
  for (const copy of earlier) for (const entry of copy.listedUnlikeIn(now)) keepLatest(listed, entry);
  for (const entry of unseen.listed()) keepLatest(listed, entry);
  for (const [id, { version }] of listed) {
    if ((removed.get(id)?.version ?? 0) >= version) listed.delete(id);
  }
  const isLater = ({ id, version }: Tombstone | ChangedGameServer): boolean =>
    (now.lastVersionOf(id) ?? 0) < version;
  const cursors = earlier.map(({ position }) => position.cursor).filter((cursor) => cursor > 0);
  return {
    version: cursors.length === 0 ? 0 : Math.min(...cursors),
    removed: [...removed.values()],
    listed: [...listed.values()],
    isMissing: [...removed.values()].some(isLater) || [...listed.values()].some(isLater),
  };
}

function keepLatest<T extends Tombstone | ChangedGameServer>(latest: Map<GameServerId, T>, each: T): void {
  if ((latest.get(each.id)?.version ?? 0) < each.version) latest.set(each.id, each);
}

export interface WriteBackOptions {
  /** Whether the registry is not whole before this replica settles it. */
  readonly isHeld: boolean;
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves with how many are listed again, once all replicas have told who had left, and this one all it knew. Rejects
 * when the signal says that the replica is closing.
 */
export async function writeBack(
  scripts: Scripts,
  { version, removed, listed }: LostState,
  { isHeld, settleMs, signal }: WriteBackOptions,
): Promise<number> {
  const tell = (part: Pick<Memory, 'removed' | 'listed'>): Promise<number> => {
    signal.throwIfAborted();
    return scripts.restore({ version, ...part }, isHeld);
  };
  for (const batch of batchesOf(removed)) await tell({ removed: batch, listed: [] });
  await delay(settleMs, undefined, { signal });
  let restored = 0;
  const batches = batchesOf(listed);
  const tellListed = async (): Promise<void> => {
    for (const batch of batches) {
      const count = await tell({ removed: [], listed: batch });
      restored += count;
    }
  };
  // The next batch is made while Redis is at the last one.
  await Promise.all([tellListed(), tellListed()]);
  return restored;
}

/** One at least: also who has nothing to tell says that it is at it. */
function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  let i = 0;
  do yield all.slice(i, i + BATCH_SIZE);
  while ((i += BATCH_SIZE) < all.length);
}
