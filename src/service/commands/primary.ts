/**
 * The primary of a service with workers: starts and keeps them, hands signals on to them, and adds up their metrics.
 * It owns the ports and hands each connection to the next worker, as node:cluster does; it reads none.
 */

import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../deployment/deployment.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { FleetEvents, WorkerEvents, WorkerProcess } from '../workers/fleet-options.ts';
import { Fleet, StartError } from '../workers/fleet.ts';
import { Gathering } from '../workers/gathering.ts';
import { isOurs, type FromReplica } from '../workers/messages.ts';
import { primaryFamilies } from '../workers/primary-families.ts';
import { logListening, warnWithoutKey } from './listening-log.ts';
import { openProcessLog } from './process-log.ts';
import { drainDelayMs, obeySignals } from './signals.ts';

/** How long a scrape waits for a worker. */
const SCRAPE_LIMIT_MS = 1000;

/** Its timers keep the process alive: between two workers nothing else does. */
const CLOCK = {
  now: () => performance.now(),
  every(intervalMs: number, task: () => Promise<void>) {
    const timer = setInterval(() => void task(), intervalMs);
    return () => clearInterval(timer);
  },
};

/** Runs until a signal, and exits. Rejects with an Error of one line when the first worker cannot start. */
export async function runPrimary(deployment: Deployment, version: string): Promise<void> {
  const { config } = deployment;
  const { workers } = config;
  const { logger, flush, exit } = await openProcessLog(config, { isShared: true });
  // Windows would let the system choose, which prefers the worker that accepted last.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const startedAt = Date.now();
  const gathering = new Gathering({
    serving: () => fleet.serving,
    own: () =>
      primaryFamilies({
        ...fleet.counts,
        startedAt,
        cpu: process.cpuUsage(),
        memoryBytes: process.memoryUsage.rss(),
      }),
    patience: () => delay(SCRAPE_LIMIT_MS),
  });
  logger.info({ workers, version }, `starting ${workers} workers`);
  const fleet: Fleet = new Fleet({
    workers,
    start: startWorker,
    events: {
      ...logEvents(logger, deployment, version),
      onMessage: (from, message) => gathering.hear(from, message),
      onEnd: (worker) => gathering.forget(worker),
    },
    drainDelayMs: drainDelayMs(config),
    clock: CLOCK,
    random: Math.random,
  });
  obeySignals({
    stop(signal) {
      const delayMs = drainDelayMs(config, signal);
      logger.info({ signal, delayMs }, 'draining; a second signal exits at once');
      fleet.stop(delayMs);
    },
    stopAtOnce() {
      fleet.killAll();
      void exit(1);
    },
    reload: () => fleet.tellAll({ is: 'reload' }),
    replaceWorkers: () => fleet.replaceAll(),
  });
  try {
    await fleet.ended;
  } catch (error) {
    await flush();
    throw error instanceof StartError && error.isUsage ? new UsageError(error.message) : error;
  }
  logger.info({}, 'stopped');
  await exit(0);
}

function startWorker({ onMessage, onEnd }: WorkerEvents): WorkerProcess {
  const worker = cluster.fork();
  worker.on('message', (message: unknown) => {
    if (isOurs(message)) onMessage(message as FromReplica);
  });
  // A message may be sent to a worker that ends.
  worker.on('error', () => undefined);
  worker.on('exit', (code, signal) => onEnd(signal ?? code));
  return {
    send: (message) => void (worker.isConnected() && worker.send(message, () => undefined)),
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

function logEvents(
  logger: Logger,
  deployment: Deployment,
  version: string,
): Omit<FleetEvents, 'onMessage' | 'onEnd'> {
  const { workers } = deployment.config;
  return {
    onListening(worker, where, first) {
      if (first) {
        warnWithoutKey(logger, deployment, where);
        logListening(logger, where, deployment, { version, workers });
      }
      logger.info({}, `worker ${worker} takes connections`);
    },
    onDied: (worker, how, restartInMs) =>
      logger.error({ how, restartInMs }, `worker ${worker} has died, and is started again`),
    onSilent: (worker, silentMs) =>
      logger.error({ silentMs }, `worker ${worker} gives no sign of life, and is killed`),
    onFailed: (worker, reason) => logger.error({ reason }, `worker ${worker} cannot start`),
    onReplacing: () => logger.info({}, 'replacing the workers, one after the other'),
    onReplaced: () => logger.info({}, 'all workers are replaced'),
    onNotReplaced: (worker) =>
      logger.error(
        {},
        `worker ${worker} is not replaced, nor are those after it: the new one has not come to listen`,
      ),
  };
}
