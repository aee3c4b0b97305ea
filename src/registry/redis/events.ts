/** The events of a RedisRegistry, as types alone, for all who log or count them. */

import type { RegistryEvents, ToldEntry } from '../registry.ts';
import type { ClockOffset } from './redis-clock.ts';
import type { RedisErrorKind } from './scripts/error-kind.ts';
import type { ScriptName } from './scripts/script-contract.ts';

/**
 * Why the copy of the list is loaded anew.
 * - `epoch`: Redis has another registry, or none.
 * - `rollback`: Redis is behind the copy.
 * - `digest`: Redis is at the same version, with other content.
 * - `floor`: the copy is so far behind that the tombstones it missed are dropped.
 * - `reset`: the registry was emptied on purpose.
 * - `damage`: another program has changed the keys of the registry.
 */
export type ReloadReason = 'epoch' | 'rollback' | 'digest' | 'floor' | 'reset' | 'damage';

export interface FollowerEvents extends RegistryEvents {
  /** The copy is loaded anew. `count`: how many entries Redis lists, if that is known. */
  readonly onReload: (reason: ReloadReason, count?: number) => void;
  /** Redis has lost something since this replica looked last. */
  readonly onLoss: () => void;
  /** These entries, which Redis had lost, are listed again. */
  readonly onRestored: (entries: readonly ToldEntry[]) => void;
  /** A key of the registry had a wrong type, and was deleted. */
  readonly onWrongType: (key: string) => void;
  /** The feed brought this many changed or removed entries. */
  readonly onChanges: (count: number) => void;
}

export interface ScriptEvents {
  /** Redis has answered a call of the script, or failed to in time. A call may carry a group of requests. */
  readonly onCall: (script: ScriptName, durationMs: number) => void;
  /** A call failed, or a single request of its group. */
  readonly onError: (kind: RedisErrorKind) => void;
  /** A poll of the feed has compared the clock of this machine with that of Redis. */
  readonly onClock: (offset: ClockOffset) => void;
}

export interface RedisRegistryEvents extends FollowerEvents, ScriptEvents {
  /** A poll of the feed has confirmed this many reads of the list: none, if the replica polled unasked. */
  readonly onPoll: (reads: number) => void;
  /** Redis does not answer: lists are stale and writes refused. Emitted once, until it answers. It ends a refusal. */
  readonly onUnavailable: (error: unknown) => void;
  readonly onAvailable: () => void;
  /** Redis answers and refuses writes, with this error. Emitted once, until it takes them again. */
  readonly onWritesRefused: (error: Error) => void;
  readonly onWritesAccepted: () => void;
}
