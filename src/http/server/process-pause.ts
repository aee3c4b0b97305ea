/**
 * Pauses of the process: it was frozen, swapped out, or its machine was paused. The sender of a request that arrived
 * meanwhile may have hung up and asked another replica; carried out now, its old ping would overwrite a newer one.
 * This file detects such pauses and such requests; server.ts drops the requests.
 */

import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deadlines } from '../../deadlines.ts';

const TICK_MS = 250;
/** Within this time and some turns after a pause, everything that arrived during it is read. */
const AFTERMATH_MS = 250;
/**
 * On a busy machine a turn alone may take that time. A turn accepts one connection, and a later one reads what was sent
 * over it: the turns are counted from the last connection on.
 */
const AFTERMATH_TURNS = 8;
/** A hang-up is read after the data before it, and new connections have to be accepted first. */
const TURNS_TO_SEE_A_HANG_UP = 3;

export interface ProcessPauseWatch {
  /** Whether a pause ended so recently that a request read now may have arrived during it. */
  hasJustEnded(): boolean;
  /** A connection was accepted: it may have waited through a pause, and more of them may be waiting. */
  noteConnection(): void;
  stop(): void;
}

/**
 * Of pauses of more than `pauseMs`: of a shorter one hardly any client hangs up. `backlog`: so many connections wait at
 * the most to be accepted. `now`: ms of a clock that cannot be set.
 */
export function watchForProcessPauses(
  backlog: number,
  { pauseMs }: Pick<Deadlines, 'pauseMs'>,
  now: () => number = () => performance.now(),
): ProcessPauseWatch {
  let tickedAt = now();
  let endedAt = -Infinity;
  let turnsLeft = 0;
  let connectionsLeft = 0;
  const endTurn = (): void => {
    turnsLeft -= 1;
    if (turnsLeft > 0) setImmediate(endTurn);
  };
  const countTurns = (): void => {
    if (turnsLeft === 0) setImmediate(endTurn);
    turnsLeft = AFTERMATH_TURNS;
  };
  // Requests and connections call this as well as the timer: after a pause they come before timers run.
  const tick = (): number => {
    const at = now();
    if (at - tickedAt > pauseMs) {
      endedAt = at;
      connectionsLeft = backlog;
      countTurns();
    }
    tickedAt = at;
    return at;
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return {
    hasJustEnded: () => tick() - endedAt < AFTERMATH_MS || turnsLeft > 0,
    noteConnection() {
      tick();
      if (turnsLeft === 0 || connectionsLeft === 0) return;
      connectionsLeft -= 1;
      countTurns();
    },
    stop: () => clearInterval(timer),
  };
}

/** Resolves with whether the client still waits for the answer. */
export async function isAwaited({ socket }: IncomingMessage): Promise<boolean> {
  for (let turn = 0; turn < TURNS_TO_SEE_A_HANG_UP; turn += 1) await nextTurn();
  return !socket.destroyed && !socket.readableEnded;
}
