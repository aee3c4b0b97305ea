/** The CPU time of a Redis process, by its own account: user and kernel mode, all threads, in µs. */

import type { Redis } from 'ioredis';

/** `commandstats` would not do: its times are of the wall, with every wait for a core. */
export async function redisCpuUs(client: Redis): Promise<number> {
  const text = await client.info('cpu');
  const seconds = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)![1]);
  return 1e6 * (seconds('used_cpu_user') + seconds('used_cpu_sys'));
}
