/**
 * Group commit sends many calls of one kind to a server together, in one command. Databases write their logs this way.
 */

import { ProcessPaused, type Pulse } from '../../../runtime/pulse.ts';

export interface GroupCommitOptions<Item, Result> {
  /**
   * Runs a group. Resolves with the result of each item in order; an Error concerns its item alone. Rejects if the
   * server gave no answer.
   */
  readonly run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  /** The most items in a group: a larger one would block the server for too long. */
  readonly mostItems: number;
  /** A group of fewer items, but more than one, is small: the next group gathers for `gatherMs`. */
  readonly enoughItems: number;
  readonly gatherMs: number;
  /**
   * How long a call may wait, in ms, before it is rejected with ProcessPaused. The time counts from the beat of the
   * pulse before the call, so that a pause between a request and its call counts too.
   */
  readonly longestWaitMs: number;
  readonly pulse: Pick<Pulse, 'beatAt'>;
  /** Calls it at the end of the round of the event loop. Default: setImmediate(). */
  readonly atEndOfRound?: (leave: () => void) => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** The beat of the pulse before the call, by performance.now(). */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Returns a function that resolves with the result of its item, or rejects with its error. A group is sent at the end
 * of a round of the event loop: at once if no group is under way, else when that one is back. A lone call is thus never
 * delayed. After a small group the next one gathers for `gatherMs`, because a small group costs the server nearly as
 * much as a large one. A group of `mostItems` is sent at once in any case. If the server gave no answer to a group, all
 * waiting calls are rejected: they would only wait as long again.
 */
export function groupCommit<Item, Result>({
  run,
  mostItems,
  enoughItems,
  gatherMs,
  longestWaitMs,
  pulse,
  atEndOfRound = setImmediate,
}: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isScheduled = false;
  const underWay = new Set<readonly Waiting<Item, Result>[]>();
  let isSmall = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || underWay.size > 0) return;
    isScheduled = true;
    const leave = (): void => {
      isScheduled = false;
      if (waiting.length > 0 && underWay.size === 0) void send();
    };
    if (isSmall) setTimeout(leave, gatherMs);
    else atEndOfRound(leave);
  }

  function takeWaiting(): readonly Waiting<Item, Result>[] {
    const earliest = performance.now() - longestWaitMs;
    const all = waiting;
    waiting = [];
    return all.filter(({ since, reject }) => {
      const isLate = since < earliest;
      if (isLate) reject(new ProcessPaused());
      return !isLate;
    });
  }

  async function send(): Promise<void> {
    const group = takeWaiting();
    if (group.length === 0) return;
    isSmall = group.length > 1 && group.length < enoughItems;
    underWay.add(group);
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index]!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of [...underWay, waiting.splice(0)].flat()) reject(error as Error);
    } finally {
      underWay.delete(group);
      schedule();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: pulse.beatAt, resolve, reject });
      if (waiting.length >= mostItems) void send();
      else schedule();
    });
}
