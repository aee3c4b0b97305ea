/**
 * The time for which a process was ready to run, and the machine had no core for it: two trials and their clients share
 * the cores of a small machine.
 */

import { readFile } from 'node:fs/promises';
import type { Replica } from './replica.ts';

/** Resolves with a function that measures how long, since now, one of the replicas waited for a core at most. In ms. */
export async function watchStarved(replicas: readonly Replica[]): Promise<() => Promise<number>> {
  const running = replicas.filter(({ isServing }) => isServing);
  const before = await Promise.all(running.map(async ({ pid }) => ({ pid, waitedMs: await waitedMs(pid) })));
  return async () => {
    const waits = before.map(async (each) => (await waitedMs(each.pid)) - each.waitedMs);
    return Math.max(0, ...(await Promise.all(waits)));
  };
}

/**
 * What counts of a time: all but that for which the machine had no core for a replica, and at least half of it, since
 * replicas may also keep each other waiting.
 */
export function ownTime(ms: number, starvedMs: number): number {
  return Math.max(ms - starvedMs, ms / 2);
}

/** As Linux counts it for the main thread (/proc/pid/schedstat: ns on a core, ns of waiting); 0 if it does not. */
async function waitedMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) / 1e6;
}
