/** The log of this process, on its standard output, and its ends. */

import type { Config } from '../config/config.ts';
import { createLog, type Log } from '../../runtime/log/log.ts';

export interface ProcessLog extends Log {
  /** Ends the process once the log is written. */
  readonly exit: (code: number) => Promise<never>;
  /** Ends it for an error that nobody expected. */
  readonly fail: (error: unknown) => void;
}

export interface ProcessLogOptions {
  /** Its number, which is then in each of its lines. */
  readonly worker?: number;
  /** Whether other processes write to the same output. */
  readonly isShared?: boolean;
}

export async function openProcessLog(
  { logLevel, logFormat }: Config,
  { worker, isShared = false }: ProcessLogOptions = {},
): Promise<ProcessLog> {
  const log = await createLog({
    level: logLevel,
    format: logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    output: process.stdout,
    ...(worker !== undefined && { fields: { worker } }),
    isShared,
  });
  const exit = async (code: number): Promise<never> => {
    await log.flush();
    process.exit(code);
  };
  const fail = (error: unknown): void => {
    log.logger.fatal({ err: error }, 'unexpected error, exiting');
    void exit(1);
  };
  process.on('uncaughtException', fail);
  return { ...log, exit, fail };
}
