/**
 * The pulse of the process: when it was last seen to run. A process that was frozen in the middle of a turn of the event
 * loop goes on with that turn: until the next beat, the last one is older than the pause.
 */

const BEAT_MS = 250;

/** That of now, whatever a test puts in its place for a while. */
const now = performance.now.bind(performance);

let beatAt = now();
setInterval(() => {
  beatAt = now();
}, BEAT_MS).unref();

/** When the pulse last beat, by performance.now(): up to 250 ms ago, unless the process is paused or busy. */
export function lastBeat(): number {
  return beatAt;
}

/** A call was not sent: the process was paused over it, and its caller has turned to another replica meanwhile. */
export class ProcessPaused extends Error {
  constructor() {
    super('The process was paused');
  }
}
