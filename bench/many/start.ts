/** The service of the measurements of many registries. */

import { startService, type RunningRedis, type Service } from '../support/processes.ts';

/** Starts a service with this configuration file. */
export function start(redis: RunningRedis | undefined, config: string, readyAt = ''): Promise<Service> {
  const at = redis === undefined ? [] : [`--redis=redis://127.0.0.1:${redis.port}`];
  return startService({ flags: [`--config=${config}`, ...at, '--log-level=warn'], isProbed: true, readyAt });
}
