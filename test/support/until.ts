/** Waiting for a condition by asking again and again: for what gives no event to wait for. */

import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 10;

/** A process that the condition depends on: when it has ended, waiting is in vain. */
export interface Dependency {
  readonly ended: boolean;
  /** What it has printed, for the error. */
  readonly lines: readonly string[];
}

/** Resolves when the condition holds; rejects when the process it depends on has ended. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  dependsOn?: Dependency,
): Promise<void> {
  while (!(await condition())) {
    if (dependsOn?.ended === true) throw new Error(`it ended: ${dependsOn.lines.join('\n')}`);
    await delay(POLL_INTERVAL_MS);
  }
}
