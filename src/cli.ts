#!/usr/bin/env node
/**
 * The command line: flags and environment in, a running service or an exit code out. Alone may print, exit and
 * read `process`.
 */

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError, Option } from 'commander';
import { createConfig, OPTIONS, type Config, type Flags } from './config.ts';
import { checkHealth } from './healthcheck.ts';
import { createLog } from './log.ts';
import { UsageError, type OptionDefinition } from './option.ts';
import { openForReset } from './reset.ts';
import { startService } from './service.ts';

const EXAMPLES = `
Examples:
  gsls                                            one machine, in memory, on port 53600
  gsls --port 8080 --ttl 30                       another port, entries live 30 s without a ping
  gsls --data-file gsls.data                      in memory and in a file, which a restart reads
  GSLS_KEY=secret gsls                            every request needs the key
  gsls --redis redis://10.0.0.5:6379              one of any number of replicas
  gsls --redis redis://10.0.0.5 --registry eu     a second registry in the same Redis
  gsls --redis-sentinel 10.0.0.5,10.0.0.6         on the master that these sentinels name
  gsls --redis-cluster 10.0.0.5,10.0.0.6          in a Redis Cluster
  gsls healthcheck                                exit code 0 if the replica on this machine is well
  gsls reset --redis redis://10.0.0.5             take all game servers off, for good
`;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

function createProgram(): Command {
  const program = new Command('gsls')
    .description(
      'GSLS, the Game Server Listing Service: a master server for game servers and all who look for them',
    )
    .version(version)
    .addHelpText('after', EXAMPLES)
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
    .action(() => run(program, serve));
  for (const [name, definition] of Object.entries<OptionDefinition<unknown>>(OPTIONS)) {
    program.addOption(createOption(name, definition));
  }
  program
    .command('healthcheck')
    .description('ask the replica on --host and --port how it is; exit code 1 if it is not well')
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
    .action(() => run(program, healthcheck));
  const reset = program
    .command('reset')
    .description('take all game servers off the registry in Redis; they have to broadcast anew')
    .option('--yes', 'do not ask for confirmation')
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
    .action(() => run(program, (config) => resetRegistry(config, reset.opts<{ yes?: true }>().yes === true)));
  return program;
}

function createOption(name: string, definition: OptionDefinition<unknown>): Option {
  const { flag, argument, description, variable, repeatable, defaultText } = definition;
  const initial = defaultText ?? String(definition.default);
  const parsed = new Option(
    argument ? `${flag} ${argument}` : flag,
    `${description} (${variable}; default: ${initial})`,
  );
  parsed.attributeName = () => name;
  // To commander --no-x is the opposite of an option x, and on unless given; to us it is a switch like any other.
  parsed.negate = false;
  if (argument === undefined) return parsed;
  return parsed.argParser((text: string, earlier: string[] | undefined) =>
    repeatable ? [...(earlier ?? []), text] : [text],
  );
}

async function run(program: Command, command: (config: Config) => Promise<void>): Promise<void> {
  const config = createConfig({
    flags: program.opts<Flags>(),
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  await command(config);
}

async function serve(config: Config): Promise<void> {
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

async function healthcheck(config: Config): Promise<void> {
  process.stdout.write(`${await checkHealth(config)}\n`);
}

async function resetRegistry(config: Config, isConfirmed: boolean): Promise<void> {
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  if (!isConfirmed && !canAsk)
    throw new UsageError('reset asks for confirmation: add --yes where nobody can be asked');
  const registry = await openForReset(config);
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
  await createProgram().parseAsync();
} catch (error) {
  const { message } = error as Error;
  if (error instanceof CommanderError && error.exitCode === 0) process.exit(0);
  const usage = error instanceof CommanderError || error instanceof UsageError;
  process.stderr.write(
    `gsls: ${message.replace(/^error: /, '').replaceAll('\n', ' ')}${usage ? '; see gsls --help' : ''}\n`,
  );
  process.exit(usage ? 2 : 1);
}
