/**
 * `gsls`: a service for the life of the process. Starts it, writes its log to standard output, drains and stops it at a
 * signal, and exits.
 */

import type { Deployment } from '../deployment/deployment.ts';
import type { Rereading } from '../deployment/config-watch.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { HistoryRecord } from '../../registry/history-record.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { startService, type Service } from '../service.ts';
import { logListening, warnWithoutKey } from './listening-log.ts';
import { explainListenError } from './listen-error.ts';
import { otherProcesses } from './other-processes.ts';
import { openProcessLog } from './process-log.ts';
import { drainDelayMs, obeySignals } from './signals.ts';

/** The additions of `gsls demo` to a service in memory. */
export interface Inhabited {
  /** Its history so far. */
  readonly past: HistoryRecord;
  /** Runs once the service answers, before the log says where. Resolves with what is to end before the service does. */
  readonly populate: (service: Service, logger: Logger) => Promise<() => Promise<void>>;
}

export interface ServeOptions {
  readonly rereading?: Rereading;
  readonly inhabited?: Inhabited;
}

/** Resolves once the service listens; the process then runs until a signal. Rejects with an Error of one line. */
export async function serve(
  deployment: Deployment,
  version: string,
  { rereading, inhabited }: ServeOptions = {},
): Promise<void> {
  const { config } = deployment;
  const { logger, droppedLines, flush, exit, fail } = await openProcessLog(config);
  const facts = { version, nodeVersion: process.versions.node, droppedLogLines: droppedLines };
  const { past } = inhabited ?? {};
  const service = await startService({
    deployment,
    rereading,
    logger,
    processes: otherProcesses,
    facts,
    past,
  }).catch(async (error: unknown) => {
    await flush();
    throw error instanceof UsageError ? error : explainListenError(error, deployment);
  });

  let stopping = false;
  let depopulate: (() => Promise<void>) | undefined;
  obeySignals({
    stop(signal) {
      stopping = true;
      const delayMs = drainDelayMs(config, signal);
      logger.info({ signal, delayMs }, 'draining; a second signal exits at once');
      const close = async (): Promise<void> => {
        await depopulate?.();
        await service.close({ delayMs });
        logger.info({}, 'stopped');
        await exit(0);
      };
      close().catch(fail);
    },
    stopAtOnce: () => void exit(1),
    reload: () => void service.reload(),
    replaceWorkers: () =>
      logger.warn({}, 'SIGUSR2 replaces workers, and this service is one process: see --workers'),
  });

  warnWithoutKey(logger, deployment, service);
  if (inhabited !== undefined)
    try {
      depopulate = await inhabited.populate(service, logger);
    } catch (error) {
      // A service that stops lists nothing any more.
      if (stopping) return;
      await flush();
      throw error;
    }
  if (!stopping) logListening(logger, service, deployment, { version });
}
