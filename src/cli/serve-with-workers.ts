/**
 * `gsls --workers`: a service of several processes, each a replica. This process is the primary, which owns the others
 * and answers no request; or it is a worker, which node:cluster has started with the same command line.
 */

import cluster from 'node:cluster';
import type { Config } from '../config/config.ts';

/** As serve(), for more than one worker. */
export async function serveWithWorkers(config: Config, version: string): Promise<void> {
  if (cluster.isPrimary) {
    const { runPrimary } = await import('./primary.ts');
    await runPrimary(config, version);
  } else {
    const { runWorker } = await import('./worker.ts');
    await runWorker(config, version);
  }
}
