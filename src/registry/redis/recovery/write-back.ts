/**
 * What a replica does for a Redis that lost data (wiped, restarted without all of its data, failed over to a node
 * that lagged, damaged): it writes back what it knew, first the tombstones, then the entries. The script decides what
 * of it is news. Knows the copies of the list, not how a loss is noticed.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServerId, ListedGameServer } from '../../../model/game-server.ts';
import { inTurns } from '../../snapshot/in-turns.ts';
import { LargeMap } from '../../snapshot/large-map.ts';
import type { ChangesBatch, LostState, Tombstone } from '../follower/changes-batch.ts';
import type { ListCopy } from '../follower/list-copy.ts';
import type { Scripts } from '../scripts/scripts.ts';

/**
 * Within this time after a loss every replica has noticed it and has told its tombstones: it polls more often than
 * that, and reconnects so soon. So no entry is listed again whose removal only another replica knew of, and the list is
 * complete when it counts as current. Also the pause before a write to an unknown id is repeated, and the one between
 * two mendings.
 */
export const LOSS_NOTICE_MS = 250;

/** Entries a call carries at most: a few ms of Redis. */
const BATCH_SIZE = 250;

/** A change this replica made: the entry since then, or undefined if it was removed. */
interface UnseenWrite {
  readonly version: number;
  readonly listed: ListedGameServer | undefined;
  readonly number: number;
}

/**
 * The changes this replica made and its copy may not show yet: the last of each id. They are few: what was
 * acknowledged since the last poll of the feed.
 */
export class UnseenWrites {
  readonly #writes = new Map<GameServerId, UnseenWrite>();
  #count = 0;

  /** How many were ever noted: tells those noted so far from later ones. */
  get count(): number {
    return this.#count;
  }

  noteListed(listed: ListedGameServer): void {
    this.#note(listed.id, listed.version, listed);
  }

  noteRemoved(id: GameServerId, version: number): void {
    this.#note(id, version, undefined);
  }

  /** The entry as this replica wrote it since the last poll, unless it removed it. */
  get(id: GameServerId): ListedGameServer | undefined {
    return this.#writes.get(id)?.listed;
  }

  /** The entry as `otherwise` tells, unless this replica wrote or removed it since the last poll. */
  getOr(id: GameServerId, otherwise: Pick<ListCopy, 'get'>): ListedGameServer | undefined {
    const write = this.#writes.get(id);
    return write === undefined ? otherwise.get(id) : write.listed;
  }

  /** Whether the copy shows all that were noted up to this count. If not, it is of another epoch. */
  areSeenIn(copy: ListCopy, count: number): boolean {
    for (const [id, { version, number }] of this.#writes) {
      if (number <= count && (copy.lastVersionOf(id) ?? 0) < version) return false;
    }
    return true;
  }

  /** Drops those noted up to this count. */
  drop(count: number): void {
    for (const [id, { number }] of this.#writes) if (number <= count) this.#writes.delete(id);
  }

  *listed(): Iterable<ListedGameServer> {
    for (const { listed } of this.#writes.values()) if (listed !== undefined) yield listed;
  }

  *tombstones(): Iterable<Tombstone> {
    for (const [id, { version, listed }] of this.#writes) {
      if (listed === undefined) yield { id, version, revivable: false, isClaimed: false };
    }
  }

  /** Answers of the same id can overtake each other: the later version counts. */
  #note(id: GameServerId, version: number, listed: ListedGameServer | undefined): void {
    if ((this.#writes.get(id)?.version ?? 0) > version) return;
    this.#writes.set(id, { version, listed, number: (this.#count += 1) });
  }
}

/** What is to be told to a Redis that may have lost it. */
export interface Lost {
  /** The version up to which this replica knew everything. */
  readonly version: number;
  readonly tombstones: readonly Tombstone[];
  /** Perhaps all there are. */
  readonly listed: LargeMap<ListedGameServer>;
}

/** What earlier copies and the unseen writes know, as far as `now`, the copy of what Redis has, is not the same. */
export async function findLost(
  earlier: readonly ListCopy[],
  unseen: UnseenWrites,
  now: ListCopy,
): Promise<Lost> {
  const tombstones = new Map<GameServerId, Tombstone>();
  const listed = new LargeMap<ListedGameServer>();
  for (const copy of earlier) {
    await inTurns(copy.listedUnlikeIn(now), (entry) => keepEntry(listed, entry));
    for (const tombstone of copy.tombstones()) keepLatest(tombstones, tombstone);
  }
  for (const entry of unseen.listed()) keepEntry(listed, entry);
  for (const tombstone of unseen.tombstones()) keepLatest(tombstones, tombstone);
  for (const { id, version } of tombstones.values()) {
    if ((listed.get(id)?.version ?? Infinity) <= version) listed.delete(id);
  }
  const cursors = earlier.map(({ position }) => position.cursor).filter((cursor) => cursor > 0);
  return {
    version: cursors.length === 0 ? 0 : Math.min(...cursors),
    tombstones: [...tombstones.values()],
    listed,
  };
}

/** Whether `now`, the copy of what Redis has, lacks any of it, rather than showing something later for each id. */
export async function lacksAny(now: ListCopy, { tombstones, listed }: Lost): Promise<boolean> {
  const isLater = ({ id, version }: Tombstone | ListedGameServer): boolean =>
    (now.lastVersionOf(id) ?? 0) < version;
  let isLacking = tombstones.some(isLater);
  await inTurns(listed.values(), (entry) => {
    isLacking ||= isLater(entry);
  });
  return isLacking;
}

/**
 * Whether an entry has changed since this replica knew it claimed, and is not claimed in this batch: then Redis has
 * lost the claim.
 */
export function lacksClaim(
  { changed, playerChanges }: ChangesBatch,
  copy: ListCopy,
  unseen: UnseenWrites,
): boolean {
  return (
    changed.some(
      ({ id, version, isClaimed }) =>
        !isClaimed && (isEarlierClaim(copy.get(id), version) || isEarlierClaim(unseen.get(id), version)),
    ) ||
    playerChanges.some(
      ({ id, version }) => isEarlierClaim(unseen.get(id), version) && copy.get(id)?.isClaimed === false,
    )
  );
}

function isEarlierClaim(known: ListedGameServer | undefined, version: number): boolean {
  return known?.isClaimed === true && known.version < version;
}

function keepLatest(latest: Map<GameServerId, Tombstone>, each: Tombstone): void {
  if ((latest.get(each.id)?.version ?? 0) < each.version) latest.set(each.id, each);
}

/** A claim is never taken back: an entry without it that is known beside is of an epoch that had lost the claim. */
function keepEntry(latest: LargeMap<ListedGameServer>, each: ListedGameServer): void {
  const known = latest.get(each.id);
  const isBetter =
    known === undefined ||
    (each.isClaimed === known.isClaimed ? each.version > known.version : each.isClaimed);
  if (isBetter) latest.set(each.id, each);
}

export interface WriteBackOptions {
  /** Whether the registry is not whole before this replica says that it has told all. */
  readonly holds: boolean;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves with the entries that are listed again, once all replicas have told their tombstones, and this one all it
 * knew. Rejects when the signal says that the replica is closing.
 */
export async function writeBack(
  scripts: Scripts,
  { version, tombstones, listed }: Lost,
  { holds, lossNoticeMs, signal }: WriteBackOptions,
): Promise<readonly ListedGameServer[]> {
  const tell = (part: Omit<LostState, 'version'>): Promise<readonly GameServerId[]> => {
    signal.throwIfAborted();
    return scripts.restore({ version, ...part }, holds);
  };
  for (const batch of batchesOf(tombstones)) await tell({ tombstones: batch, listed: [] });
  await delay(lossNoticeMs, undefined, { signal });
  const restored: ListedGameServer[] = [];
  const batches = batchesOf(listed.values());
  const tellListed = async (): Promise<void> => {
    for (const batch of batches) {
      for (const id of await tell({ tombstones: [], listed: batch })) restored.push(listed.get(id)!);
    }
  };
  // One batch is prepared while Redis works on the other.
  await Promise.all([tellListed(), tellListed()]);
  return restored;
}

/** One at least: a replica that has nothing to tell also says that it is restoring. */
function* batchesOf<T>(all: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  let isFirst = true;
  for (const each of all) {
    batch.push(each);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
    isFirst = false;
  }
  if (batch.length > 0 || isFirst) yield batch;
}
