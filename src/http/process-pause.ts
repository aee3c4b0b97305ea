/**
 * What arrived while the process stood still (frozen, swapped out, on a machine that was paused). Its senders may have
 * hung up since and asked another replica: done now, an old ping would overwrite a newer one.
 */

import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Shorter, and hardly anybody has hung up. */
const SHORTEST_STANDSTILL_MS = 1000;
const TICK_MS = 250;
/** Until then all that has piled up is read. */
const AFTERMATH_MS = 250;
/** A hang-up is read after what came before it; new connections have to be accepted first. */
const TURNS_TO_SEE_A_HANG_UP = 3;

export interface StandstillWatch {
  /** Whether the request may be one that waited. */
  hasJustEnded(): boolean;
  stop(): void;
}

/** `now`: ms of a clock that no one sets. */
export function watchForStandstills(now: () => number = () => performance.now()): StandstillWatch {
  let tickedAt = now();
  let endedAt = -Infinity;
  // Whoever comes first tells: after a standstill requests are read before timers run.
  const tick = (): number => {
    const at = now();
    if (at - tickedAt > SHORTEST_STANDSTILL_MS) endedAt = at;
    tickedAt = at;
    return at;
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return {
    hasJustEnded: () => tick() - endedAt < AFTERMATH_MS,
    stop: () => clearInterval(timer),
  };
}

/** Resolves with whether somebody still waits for the answer. */
export async function isAwaited({ socket }: IncomingMessage): Promise<boolean> {
  for (let turn = 0; turn < TURNS_TO_SEE_A_HANG_UP; turn += 1) await nextTurn();
  return !socket.destroyed && !socket.readableEnded;
}
