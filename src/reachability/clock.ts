/** The time and the timers of this room: those of the system, or of a test. */

export interface ProbeClock {
  /** In ms, since any moment. Never goes back. */
  now(): number;
  /** Runs the task each `intervalMs` until the returned function is called. The task must not reject. */
  every(intervalMs: number, task: () => Promise<void>): () => void;
}

/** Setting the time of the machine does not disturb it. Its timers do not keep the process alive. */
export const monotonicClock: ProbeClock = {
  now: () => performance.now(),
  every(intervalMs, task) {
    const timer = setInterval(() => void task(), intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
