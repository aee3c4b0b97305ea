/**
 * A worker of a service: a replica for the life of this process, which does what its primary says. Without the primary
 * it drains and ends.
 */

import cluster from 'node:cluster';
import type { Deployment } from '../deployment/deployment.ts';
import type { Rereading } from '../deployment/config-watch.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { startService, type Service } from '../service.ts';
import { Channel, type Leave, type StartMessage } from '../workers/channel.ts';
import type { FromReplica } from '../workers/messages.ts';
import { shareLimits } from '../workers/share-limits.ts';
import { explainListenError } from './listen-error.ts';
import { otherProcesses } from './other-processes.ts';
import { openProcessLog } from './process-log.ts';
import { drainDelayMs, ignoreSignals } from './signals.ts';

/** The primary waits for ten of them. */
const SIGN_OF_LIFE_MS = 1000;

/** Resolves once the worker listens; the process then runs until its primary ends it, or has ended. */
export async function runWorker(
  deployment: Deployment,
  version: string,
  { files, load }: Rereading,
): Promise<void> {
  const { config } = deployment;
  ignoreSignals();
  let service: Service | undefined;
  let leave: (how: HowToLeave) => void = endAtOnce;
  let begin: (start: StartMessage) => void;
  const begun = new Promise<StartMessage>((resolve) => {
    begin = resolve;
  });
  const channel = new Channel({
    send: sendToPrimary,
    onStart: (start) => begin(start),
    onReload: () => void service?.reload(),
    onLeave: (how) => leave(how),
    readMetrics: async () => service?.readMetrics() ?? [],
  });
  process.on('message', (message) => channel.hear(message));
  cluster.worker!.on('disconnect', () => {
    // Node would end the process now if this were not set.
    cluster.worker!.exitedAfterDisconnect = true;
    leave({ delayMs: drainDelayMs(config), isReplaced: false });
  });
  setInterval(() => void sendToPrimary({ is: 'alive' }), SIGN_OF_LIFE_MS).unref();

  await sendToPrimary({ is: 'born' });
  const { worker, workers, othersListen } = await begun;
  const { logger, droppedLines, exit, fail } = await openProcessLog(config, { worker, isShared: true });
  const started = await startService({
    deployment: shareLimits(deployment, workers),
    rereading: { files, load: async () => shareLimits(await load(), workers) },
    logger,
    processes: otherProcesses,
    facts: { version, nodeVersion: process.versions.node, droppedLogLines: droppedLines },
    amongWorkers: {
      worker,
      workers,
      waitsForList: othersListen,
      gatherMetrics: () => channel.gatherMetrics(),
    },
  }).catch(async (error: unknown) => {
    const { message } = error instanceof UsageError ? error : explainListenError(error, deployment);
    await sendToPrimary({ is: 'failed', message, isUsage: error instanceof UsageError });
    return exit(1);
  });
  service = started;
  leave = ({ delayMs, isReplaced }) => {
    logger.info({ delayMs }, 'this worker drains');
    const end = async (): Promise<void> => {
      await started.close({ delayMs, isReplaced });
      await channel.tellMetrics();
      await exit(0);
    };
    end().catch(fail);
  };
  const { url, browseUrl, opsUrl } = service;
  await sendToPrimary({ is: 'listening', url, browseUrl, opsUrl });
}

type HowToLeave = Pick<Leave, 'delayMs' | 'isReplaced'>;

/** Ends the process before it listens: there is nothing to drain. */
function endAtOnce(): void {
  process.exit(0);
}

/** Resolves once it is sent, or never will be. */
function sendToPrimary(message: FromReplica): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
