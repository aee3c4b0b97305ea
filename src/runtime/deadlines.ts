/**
 * The deadlines of the service, all in one place: what is given up when its time is over, so that every request is
 * answered within 2 s (docs/promises.md).
 *
 * How they add up. A write: the shared count, then attempts that fail at once while a failure is passing, then one that
 * gets no answer: 150 + 1000 + 800 = 1950 ms. A list: 300 ms, and 1000 where it has to be made first. A write to a data
 * file: two writes, 2 x 500 ms.
 */

export interface Deadlines {
  /** A new connection to Redis, a sentinel or a node. Then it is tried anew. */
  readonly connectMs: number;
  /** An answer of a sentinel. Then the next one is asked. */
  readonly sentinelMs: number;
  /** An answer of a node about the slots of its Cluster. Then the next one is asked. */
  readonly slotsMs: number;
  /** A command. A Redis that hangs makes the first writes wait this long, until the circuit breaker is open. */
  readonly commandMs: number;
  /** A Redis that owes an answer for this long is hung: its connection is ended, as only this gets rid of it. */
  readonly silenceMs: number;
  /** Repeating a command: a failover or the move of a slot is over by then, or takes too long for a client to wait. */
  readonly retryMs: number;
  /**
   * A call that waits to be sent. The group before it is back within `commandMs`, and the pulse may be 250 ms old: only
   * a process that was paused is later than this.
   */
  readonly groupMs: number;
  /**
   * A write with all its repetitions, until Redis carries it out, from the beat of the pulse before its request: by
   * then its client was answered. Redis refuses a later one, which a newer one from another replica may have overtaken.
   * It also refuses a call that has waited for `commandMs`, as the replica has given it up by then.
   */
  readonly writeMs: number;
  /** A write to an entry that Redis does not know, until it is restored or surely unknown: some looks at the feed. */
  readonly restorationMs: number;
  /** A list that Redis is to confirm. A reader would rather have the last list now than the current one later. */
  readonly listMs: number;
  /** Work for a reader that has not had its turn (work/turns.ts). Then it is refused. */
  readonly workWaitMs: number;
  /** The shared count of a rate limit. Then the replica goes by its own. */
  readonly sharedCountMs: number;
  /**
   * Each of two waits at the start: for Redis, and for the first list. Then a replica listens without a list, and
   * its health fails until it has one.
   */
  readonly startMs: number;
  /** A write to the data file. An acknowledgement waits for two at the most. */
  readonly fileWriteMs: number;
  /**
   * A refusal of writes by a Redis that answers, from the last write that was refused. Then writes count as accepted
   * again.
   */
  readonly refusalMs: number;
  /** A longer pause of the process has made clients hang up: what they had sent is dropped. */
  readonly pauseMs: number;
  /** A stream. Then its client goes on with another one: what became of one that has vanished is known by then. */
  readonly streamMs: number;
  /**
   * How late the event loop may be to its work before each kind is refused. None is more than a command may take.
   * Broadcasts go first, and pings last.
   */
  readonly eventLoopDelayMs: { readonly broadcast: number; readonly list: number; readonly ping: number };
}

/** The deadlines in force, wherever no others are given. */
export const DEADLINES: Deadlines = {
  connectMs: 1000,
  sentinelMs: 1000,
  slotsMs: 600,
  commandMs: 800,
  silenceMs: 2000,
  retryMs: 1000,
  groupMs: 1250,
  writeMs: 2250,
  restorationMs: 1200,
  listMs: 300,
  workWaitMs: 1000,
  sharedCountMs: 150,
  startMs: 2000,
  fileWriteMs: 500,
  refusalMs: 10_000,
  pauseMs: 1000,
  streamMs: 3_600_000,
  eventLoopDelayMs: { broadcast: 500, list: 600, ping: 800 },
};
