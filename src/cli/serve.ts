/**
 * `gsls`: a service for the life of the process. Starts it, writes its log to standard output, drains and stops it at a
 * signal, and exits.
 */

import { isatty } from 'node:tty';
import type { Config } from '../config/config.ts';
import { UsageError } from '../config/option.ts';
import { DRAIN_DELAY_WITH_REDIS_S } from '../config/options.ts';
import { createLog } from '../log/log.ts';
import type { Logger } from '../log/logger.ts';
import { startService, type Service } from '../service/service.ts';
import type { Past } from '../world/past.ts';
import { explainListenError } from './listen-error.ts';

/** What `gsls demo` adds to a service in memory. */
export interface Inhabited {
  /** Its history so far. */
  readonly past: Past;
  /** Runs once the service answers, before the log says where. Resolves with what is to end before the service does. */
  readonly populate: (service: Service, logger: Logger) => Promise<() => Promise<void>>;
}

/** Resolves once the service listens; the process then runs until a signal. Rejects with an Error of one line. */
export async function serve(config: Config, version: string, inhabited?: Inhabited): Promise<void> {
  const { logger, droppedLines, flush } = await createLog({
    level: config.logLevel,
    format: config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    output: process.stdout,
  });
  const exit = async (code: number): Promise<never> => {
    await flush();
    process.exit(code);
  };
  const fail = (error: unknown): void => {
    logger.fatal({ err: error }, 'unexpected error, exiting');
    void exit(1);
  };
  process.on('uncaughtException', fail);

  const processes = { ownPid: process.pid, isRunning };
  const facts = { version, nodeVersion: process.versions.node, droppedLogLines: droppedLines };
  const { past } = inhabited ?? {};
  const service = await startService({ config, logger, processes, facts, past }).catch(
    async (error: unknown) => {
      await flush();
      throw error instanceof UsageError ? error : explainListenError(error, config);
    },
  );

  let stopping = false;
  let depopulate: (() => Promise<void>) | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return void exit(1);
    stopping = true;
    // SIGINT comes from a terminal, which has no load balancer to wait for.
    const delayMs = signal === 'SIGINT' ? 0 : drainDelayMs(config);
    logger.info({ signal, delayMs }, 'draining; a second signal exits at once');
    const close = async (): Promise<void> => {
      await depopulate?.();
      await service.close({ delayMs });
      logger.info({}, 'stopped');
      await exit(0);
    };
    close().catch(fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const isOnTerminal = isatty(0);
  process.on('SIGHUP', () => {
    // The signal also says that the terminal was closed, and then it is no terminal any more.
    if (isOnTerminal && !isatty(0)) stop('SIGINT');
    else void service.reload();
  });

  // An empty GSLS_KEY counts as none, and it may be a key that got lost.
  if (config.authKeys.length === 0)
    logger.warn(
      {},
      `no key is set: any client that can reach port ${new URL(service.url).port} may read and write; see --key`,
    );
  if (inhabited !== undefined)
    try {
      depopulate = await inhabited.populate(service, logger);
    } catch (error) {
      // A service that stops lists nothing any more.
      if (stopping) return;
      await flush();
      throw error;
    }
  if (stopping) return;
  const { url, browseUrl, opsUrl } = service;
  const people = browseUrl === undefined ? '' : `, for people on ${browseUrl}`;
  const operations = opsUrl === undefined ? '' : `, for operators on ${opsUrl}`;
  logger.info(
    { url, ...(browseUrl && { browseUrl }), ...(opsUrl && { opsUrl }), version },
    `listening on ${url}${people}${operations}`,
  );
}

function drainDelayMs({ drainDelay, redisAddress }: Config): number {
  return 1000 * (drainDelay ?? (redisAddress === undefined ? 0 : DRAIN_DELAY_WITH_REDIS_S));
}

/** EPERM means that the process runs, under another user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
