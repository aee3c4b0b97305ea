/** A stopwatch of the time that this process had: what a busy machine keeps it waiting hardly counts. */

const TICK_MS = 20;

/** Starts one. Returns a function that stops it, and tells the ms. */
export function startStopwatch(): () => number {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), TICK_MS).unref();
  return () => {
    clearInterval(timer);
    return ticks * TICK_MS;
  };
}
