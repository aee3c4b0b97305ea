/**
 * What a replica does for a Redis that lost data (wiped, restarted without all of its data, failed over to a node
 * that lagged): it tells what it knew, first who had left, then who was listed. The script decides what of it is news.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServer, GameServerId } from '../game-server.ts';
import type { ListCopy } from './list-copy.ts';
import type { ChangedGameServer, Memory, Scripts, Tombstone } from './scripts.ts';

/**
 * Until then every replica has noticed the loss (it looks at Redis more often than that) and told who had left: nobody
 * must be listed again whose removal only another replica knew of.
 */
const SETTLE_MS = 350;

/** Entries a call carries at most: a few ms of Redis. */
const BATCH_SIZE = 500;

/**
 * The changes this replica made and its copy may not show yet. They are few: what was acknowledged since the last
 * look at the feed.
 */
export class Acknowledged {
  readonly #listed = new Map<GameServerId, ChangedGameServer>();
  readonly #removed = new Map<GameServerId, Tombstone>();

  noteListed(id: GameServerId, version: number, gameServer: GameServer): void {
    this.#listed.set(id, { ...gameServer, id, version, registeredAt: version });
  }

  noteRemoved(id: GameServerId, version: number): void {
    this.#listed.delete(id);
    this.#removed.set(id, { id, version });
  }

  /** A copy at this version shows all changes up to it. */
  forgetUpTo(version: number): void {
    for (const changes of [this.#listed, this.#removed]) {
      for (const [id, change] of changes) if (change.version <= version) changes.delete(id);
    }
  }

  listed(): Iterable<ChangedGameServer> {
    return this.#listed.values();
  }

  removed(): Iterable<Tombstone> {
    return this.#removed.values();
  }
}

/** What the copy of before and the acknowledged changes know better than the copy of what Redis has now. */
export function recall(before: ListCopy, acknowledged: Acknowledged, now: ListCopy): Memory {
  const removed = new Map<GameServerId, Tombstone>();
  for (const source of [before, acknowledged]) {
    for (const tombstone of source.removed()) removed.set(tombstone.id, tombstone);
  }
  const listed: ChangedGameServer[] = [];
  for (const source of [before, acknowledged]) {
    for (const entry of source.listed()) {
      const isNews = (now.versionOf(entry.id) ?? 0) < entry.version;
      if (isNews && (removed.get(entry.id)?.version ?? 0) < entry.version) listed.push(entry);
    }
  }
  return { version: before.position.cursor, removed: [...removed.values()], listed };
}

/** Resolves with how many are listed again. Rejects when the signal says that the replica is closing. */
export async function writeBack(
  scripts: Scripts,
  { version, removed, listed }: Memory,
  signal: AbortSignal,
): Promise<number> {
  for (const batch of batchesOf(removed)) await scripts.restore({ version, removed: batch, listed: [] });
  if (listed.length === 0) return 0;
  await delay(SETTLE_MS, undefined, { signal });
  let restored = 0;
  for (const batch of batchesOf(listed))
    restored += await scripts.restore({ version, removed: [], listed: batch });
  return restored;
}

function* batchesOf<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let i = 0; i < all.length; i += BATCH_SIZE) yield all.slice(i, i + BATCH_SIZE);
}
