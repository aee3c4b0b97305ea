/** What a process has used so far: from /proc; a Redis tells its CPU by itself. */

import { readdirSync, readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

export interface Usage {
  /** µs of CPU, in user and kernel mode, all threads included. */
  readonly cpuUs: number;
  readonly rssBytes: number;
  /** µs that its main thread was ready to run and waited for a core; 0 where the system does not tell. */
  readonly waitUs: number;
}

/** Linux counts in ticks of 1/100 s, whatever the kernel's own clock. */
const US_A_TICK = 10_000;
const FIELDS_BEFORE_UTIME = 11;

/** Throws when there is no such process. */
export function readUsage(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name stands in parentheses, and may hold any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[FIELDS_BEFORE_UTIME]) + Number(fields[FIELDS_BEFORE_UTIME + 1]);
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return {
    cpuUs: ticks * US_A_TICK,
    rssBytes: 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0),
    waitUs: readWait(pid),
  };
}

/** Memory with its part of what it shares with other processes; 0 where the system does not tell. */
export function readPssBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return 1024 * Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** µs of CPU of all threads that run, without the steps of 10 ms that `readUsage` makes, where the system tells. */
export function readPreciseCpuUs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + readSchedule(`/proc/${pid}/task/${thread}`)[0]!, 0);
  } catch {
    return readUsage(pid).cpuUs;
  }
}

/** µs that a thread ran, and waited for a core. */
function readSchedule(path: string): number[] {
  return readFileSync(`${path}/schedstat`, 'latin1')
    .split(' ')
    .map((field) => Number(field) / 1000);
}

function readWait(pid: number): number {
  try {
    return readSchedule(`/proc/${pid}`)[1]!;
  } catch {
    return 0;
  }
}

/**
 * The CPU time of a Redis process, by its own account: user and kernel mode, all threads, in µs. `commandstats` would
 * not do: its times are of the wall, with every wait for a core.
 */
export async function redisCpuUs(client: Redis): Promise<number> {
  const text = await client.info('cpu');
  const seconds = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)![1]);
  return 1e6 * (seconds('used_cpu_user') + seconds('used_cpu_sys'));
}
