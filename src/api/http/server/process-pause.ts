/**
 * Finds requests that arrived while the process was paused (pulse.ts). The sender of one may have hung up and asked
 * another replica; carried out now, its old ping would overwrite a newer one. server.ts drops those requests.
 */

import type { IncomingMessage } from 'node:http';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Pulse } from '../../../runtime/pulse.ts';

/** Within this time and some rounds of the event loop after a pause, everything that arrived during it is read. */
const AFTERMATH_MS = 250;
/**
 * The rounds that follow. On a busy machine one round alone may take AFTERMATH_MS. A round accepts one connection, and
 * a later one reads what was sent over it, so the rounds are counted from the last connection on.
 */
const AFTERMATH_ROUNDS = 8;
/** How many rounds it takes to see a hang-up: the data before it is read first, and new connections are accepted. */
const ROUNDS_TO_SEE_A_HANG_UP = 3;

export interface ProcessPauseWatch {
  /** Whether a pause ended so recently that a request read now may have arrived during it. */
  hasJustEnded(): boolean;
  /** A connection was accepted: it may have waited through a pause, and more of them may be waiting. */
  noteConnection(): void;
  stop(): void;
}

/** `backlog`: how many connections may wait to be accepted. */
export function watchForProcessPauses(backlog: number, pulse: Pulse): ProcessPauseWatch {
  let endedAt = -Infinity;
  let roundsLeft = 0;
  let connectionsLeft = 0;
  const endRound = (): void => {
    roundsLeft -= 1;
    if (roundsLeft > 0) setImmediate(endRound);
  };
  const countRounds = (): void => {
    if (roundsLeft === 0) setImmediate(endRound);
    roundsLeft = AFTERMATH_ROUNDS;
  };
  const stop = pulse.onPause((at) => {
    endedAt = at;
    connectionsLeft = backlog;
    countRounds();
  });
  // Requests and connections check the pulse themselves, since after a pause they come before timers run.
  return {
    hasJustEnded: () => pulse.look() - endedAt < AFTERMATH_MS || roundsLeft > 0,
    noteConnection() {
      pulse.look();
      if (roundsLeft === 0 || connectionsLeft === 0) return;
      connectionsLeft -= 1;
      countRounds();
    },
    stop,
  };
}

/** Resolves with whether the client still waits for the answer. */
export async function isAwaited({ socket }: IncomingMessage): Promise<boolean> {
  for (let round = 0; round < ROUNDS_TO_SEE_A_HANG_UP; round += 1) await nextRound();
  return !socket.destroyed && !socket.readableEnded;
}
