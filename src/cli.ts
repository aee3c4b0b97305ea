#!/usr/bin/env node
/**
 * The process: flags and environment in, a running service or an exit code out. Alone may print, exit and read
 * `process`.
 */

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { createProgram } from './cli/command-line.ts';
import { createConfig, type Config, type Flags } from './config/config.ts';
import { checkHealth } from './cli/healthcheck.ts';
import { createLog } from './log/log.ts';
import { UsageError } from './config/option.ts';
import { addressForReset, openForReset } from './service/reset-registry.ts';
import { startService } from './service/service.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

function configFrom(flags: Flags): Config {
  return createConfig({
    flags,
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
}

async function serve(flags: Flags): Promise<void> {
  const config = configFrom(flags);
  const { logger, droppedLines, flush } = createLog({
    level: config.logLevel,
    format: config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    output: process.stdout,
  });
  const end = async (exitCode: number): Promise<never> => {
    await flush();
    process.exit(exitCode);
  };
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'a defect in gsls: ending');
    void end(1);
  });
  const processes = { ownPid: process.pid, isRunning };
  const service = await startService(config, logger, processes, droppedLines).catch(
    async (error: unknown) => {
      await flush();
      throw new Error(listenAdvice(error as NodeJS.ErrnoException, config), { cause: error });
    },
  );

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return void end(1);
    stopping = true;
    // Whoever sits at a terminal need not wait for load balancers.
    const delayMs = signal === 'SIGINT' ? 0 : drainDelayMs(config);
    logger.info({ signal, delayMs }, 'draining; a second signal ends at once');
    void service.close({ delayMs }).then(() => {
      logger.info({}, 'stopped');
      return end(0);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A warning, as an empty GSLS_KEY counts as none: it may well be a key that got lost.
  if (config.authKeys.length === 0)
    logger.warn(
      {},
      `no key is set: any client that can reach port ${new URL(service.url).port} may read and write; see --key`,
    );
  logger.info({ url: service.url, version }, `listening on ${service.url}`);
}

/** In memory there is no other replica that requests could be sent to. */
function drainDelayMs({ drainDelay, redisAddress }: Config): number {
  return 1000 * (drainDelay ?? (redisAddress === undefined ? 0 : 3));
}

/** A process of another user answers the question, too: with EPERM. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function healthcheck(flags: Flags): Promise<void> {
  process.stdout.write(`${await checkHealth(configFrom(flags))}\n`);
}

async function reset(flags: Flags, isConfirmed: boolean): Promise<void> {
  const config = configFrom(flags);
  const redisAddress = addressForReset(config);
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  if (!isConfirmed && !canAsk)
    throw new UsageError('reset asks for confirmation: add --yes where nobody can be asked');
  const registry = await openForReset(config, redisAddress);
  try {
    const what = `${await registry.count()} game servers off ${registry.name}`;
    if (!isConfirmed && !(await ask(`Take all ${what}, for good? Type yes: `))) {
      process.stdout.write('nothing was changed\n');
      return;
    }
    let removed = 0;
    await registry.reset((sofar) => {
      removed = sofar;
      if (process.stderr.isTTY) process.stderr.write(`\r${removed} taken off`);
    });
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
    process.stdout.write(`${removed} game servers taken off ${registry.name}\n`);
  } finally {
    await registry.close();
  }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

function listenAdvice({ code, message }: NodeJS.ErrnoException, { host, port }: Config): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is already in use: stop what uses it, or choose another with --port`;
    case 'EACCES':
      return `port ${port} may not be used by this user: choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is no address of this machine: choose another with --host`;
    default:
      return message;
  }
}

// A full disk, or a reader that is gone, is no reason to end: whatever writes is told by its callback.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  await createProgram(version, { serve, healthcheck, reset }).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode);
  const { message } = error as Error;
  const isUsage = error instanceof UsageError;
  const hint = isUsage && !message.endsWith('?') ? '; see gsls --help' : '';
  process.stderr.write(`gsls: ${message.replaceAll(/[\s\p{Cc}]+/gu, ' ')}${hint}\n`);
  process.exit(isUsage ? 2 : 1);
}
