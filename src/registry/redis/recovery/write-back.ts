/**
 * Writes back what this replica knew to a Redis that lost data (it was wiped, restarted without all of its data, failed
 * over to a node that lagged, or was damaged): first the tombstones, then the entries. The script decides what of it is
 * new. This file knows the copies of the list, not how a loss is noticed.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServerId } from '../../../model/game-server.ts';
import { inTurns } from '../../snapshot/in-turns.ts';
import { LargeMap } from '../../snapshot/large-map.ts';
import {
  stateVersionOf,
  type ChangesBatch,
  type FollowedEntry,
  type LostState,
  type ParkedEntry,
  type Tombstone,
} from '../follower/changes-batch.ts';
import type { ListCopy } from '../follower/list-copy.ts';
import type { Scripts } from '../scripts/scripts.ts';

/**
 * Within this time after a loss every replica has noticed it and written back its tombstones: replicas poll more often
 * than this, and reconnect as soon. Thus no entry is listed again whose removal only another replica knew of, and the
 * list is complete when it counts as current. It is also the pause before a write to an unknown id is repeated, and the
 * one between two mendings.
 */
export const LOSS_NOTICE_MS = 250;

/** The most entries in one call: they take Redis a few ms. */
const BATCH_SIZE = 250;

/** A write of this replica: the entry since then, if it is listed, or if it is parked. */
interface UnseenWrite {
  readonly version: number;
  readonly listed: FollowedEntry | undefined;
  readonly parked: ParkedEntry | undefined;
  readonly number: number;
}

/**
 * The writes of this replica that its copy may not show yet: the last one of each id. They are few: those that Redis
 * acknowledged since the last poll of the feed.
 */
export class UnseenWrites {
  readonly #writes = new Map<GameServerId, UnseenWrite>();
  #count = 0;

  /** How many writes were ever noted. A caller keeps it to tell the writes so far from later ones. */
  get count(): number {
    return this.#count;
  }

  noteListed(listed: FollowedEntry): void {
    this.#note(listed.id, listed.version, listed);
  }

  /** `parked`: the entry, if it was not removed but parked. */
  noteRemoved(id: GameServerId, version: number, parked?: ParkedEntry): void {
    this.#note(id, version, undefined, parked);
  }

  /** The entry as this replica wrote it since the last poll, unless it removed it. */
  get(id: GameServerId): FollowedEntry | undefined {
    return this.#writes.get(id)?.listed;
  }

  /** The entry as `otherwise` has it, unless this replica wrote or removed it since the last poll. */
  getOr(id: GameServerId, otherwise: Pick<ListCopy, 'get'>): FollowedEntry | undefined {
    const write = this.#writes.get(id);
    return write === undefined ? otherwise.get(id) : write.listed;
  }

  /** Whether the copy shows all writes up to this count. If not, Redis has lost some. */
  areSeenIn(copy: ListCopy, count: number): boolean {
    for (const [id, { version, number }] of this.#writes) {
      if (number <= count && (copy.stateVersionOf(id) ?? 0) < version) return false;
    }
    return true;
  }

  /** Drops the writes up to this count. */
  drop(count: number): void {
    for (const [id, { number }] of this.#writes) if (number <= count) this.#writes.delete(id);
  }

  *listed(): Iterable<FollowedEntry> {
    for (const { listed } of this.#writes.values()) if (listed !== undefined) yield listed;
  }

  *tombstones(): Iterable<Tombstone> {
    for (const [id, { version, listed, parked }] of this.#writes) {
      if (listed === undefined) yield { id, version, revivable: false, isClaimed: false, parked };
    }
  }

  /** Remembers a write. Replies for one id can overtake each other: the later version counts. */
  #note(id: GameServerId, version: number, listed: FollowedEntry | undefined, parked?: ParkedEntry): void {
    if ((this.#writes.get(id)?.version ?? 0) > version) return;
    this.#writes.set(id, { version, listed, parked, number: (this.#count += 1) });
  }
}

/** The state to write back to a Redis that may have lost it. */
export interface Lost {
  /** The version up to which this replica knew every change. */
  readonly version: number;
  readonly tombstones: readonly Tombstone[];
  /** The entries to write back, perhaps all of the list. */
  readonly listed: LargeMap<FollowedEntry>;
}

/** Collects what earlier copies and unseen writes know, except entries that `now`, the copy of Redis, has alike. */
export async function findLost(
  earlier: readonly ListCopy[],
  unseen: UnseenWrites,
  now: ListCopy,
): Promise<Lost> {
  const tombstones = new Map<GameServerId, Tombstone>();
  const listed = new LargeMap<FollowedEntry>();
  for (const copy of earlier) {
    await inTurns(copy.listedUnlikeIn(now), (entry) => keepEntry(listed, entry));
    for (const tombstone of copy.tombstones()) keepLatest(tombstones, tombstone);
  }
  for (const entry of unseen.listed()) keepEntry(listed, entry);
  for (const tombstone of unseen.tombstones()) keepLatest(tombstones, tombstone);
  for (const { id, version } of tombstones.values()) {
    const entry = listed.get(id);
    if (entry !== undefined && stateVersionOf(entry) <= version) listed.delete(id);
  }
  const cursors = earlier.map(({ position }) => position.cursor).filter((cursor) => cursor > 0);
  return {
    version: cursors.length === 0 ? 0 : Math.min(...cursors),
    tombstones: [...tombstones.values()],
    listed,
  };
}

/** Whether `now`, the copy of Redis, lacks any of it: for some id, that is, it has no state as new. */
export async function lacksAny(now: ListCopy, { tombstones, listed }: Lost): Promise<boolean> {
  const lacks = (id: GameServerId, version: number): boolean => (now.stateVersionOf(id) ?? 0) < version;
  let isLacking = tombstones.some(({ id, version }) => lacks(id, version));
  await inTurns(listed.values(), (entry) => {
    isLacking ||= lacks(entry.id, stateVersionOf(entry));
  });
  return isLacking;
}

/**
 * Whether the batch shows that Redis has lost a claim: an entry that this replica knew as claimed has changed since,
 * and is not claimed.
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

function isEarlierClaim(known: FollowedEntry | undefined, version: number): boolean {
  return known?.isClaimed === true && known.version < version;
}

function keepLatest(latest: Map<GameServerId, Tombstone>, each: Tombstone): void {
  if ((latest.get(each.id)?.version ?? 0) < each.version) latest.set(each.id, each);
}

/** Keeps the better state of an entry. A claim is never taken back: a state without it is from after its loss. */
function keepEntry(latest: LargeMap<FollowedEntry>, each: FollowedEntry): void {
  const known = latest.get(each.id);
  const isBetter =
    known === undefined ||
    (each.isClaimed === known.isClaimed ? stateVersionOf(each) > stateVersionOf(known) : each.isClaimed);
  if (isBetter) latest.set(each.id, each);
}

export interface WriteBackOptions {
  /** Whether the registry must wait to be whole until this replica declares that it has written back all. */
  readonly holds: boolean;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
  readonly signal: AbortSignal;
}

/**
 * Writes back the tombstones, waits until all replicas have done so, and writes back the entries. Resolves with those
 * that are listed again. Rejects if the signal is aborted because the replica closes.
 */
export async function writeBack(
  scripts: Scripts,
  { version, tombstones, listed }: Lost,
  { holds, lossNoticeMs, signal }: WriteBackOptions,
): Promise<readonly FollowedEntry[]> {
  const tell = (part: Omit<LostState, 'version'>): Promise<readonly GameServerId[]> => {
    signal.throwIfAborted();
    return scripts.restore({ version, ...part }, holds);
  };
  for (const batch of batchesOf(tombstones)) await tell({ tombstones: batch, listed: [] });
  await delay(lossNoticeMs, undefined, { signal });
  const restored: FollowedEntry[] = [];
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

/** Yields at least one batch, even an empty one: Redis must know that this replica restores. */
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
