/**
 * The pulse of the process: when it was last seen to run. A process that was frozen in the middle of a turn of the event
 * loop goes on with that turn: until the next beat, the last one is older than the pause.
 */

const BEAT_MS = 250;

/** A beat that is later than this was paused over: what the process knows of others is old by so much. */
const LATEST_BEAT_MS = 1000;

/** That of now, whatever a test puts in its place for a while. */
const now = performance.now.bind(performance);

let beatAt = now();
let pausedUntil = -Infinity;
setInterval(() => {
  if (now() - beatAt > LATEST_BEAT_MS) pausedUntil = now();
  beatAt = now();
}, BEAT_MS).unref();

/** When the pulse last beat, by performance.now(): up to 250 ms ago, unless the process is paused or busy. */
export function lastBeat(): number {
  return beatAt;
}

/** Whether the process was paused since this time, by performance.now(). */
export function hasPausedSince(at: number): boolean {
  return (
    pausedUntil > at ||
    (at < performance.now() - LATEST_BEAT_MS && performance.now() - beatAt > LATEST_BEAT_MS)
  );
}

/** A call was not sent: the process was paused over it, and its caller has turned to another replica meanwhile. */
export class ProcessPaused extends Error {
  constructor() {
    super('The process was paused');
  }
}
