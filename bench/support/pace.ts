/** Something done so many times a second, in small groups. */

const TICK_MS = 5;
/** What was missed by a longer stall of this process is not made up for. */
const LONGEST_CATCH_UP_MS = 50;

/** Calls `act` at this pace with the numbers from 0 on, until the returned function is called. */
export function atPace(perSecond: number, act: (n: number) => void): () => void {
  const startedAt = performance.now();
  let done = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    done = Math.max(done, Math.floor(due - (LONGEST_CATCH_UP_MS / 1000) * perSecond));
    for (; done < due; done += 1) act(done);
  }, TICK_MS);
  return () => clearInterval(timer);
}
