/**
 * The command line in this process: words and variables go in, what the commands print comes out, or the error that
 * src/cli.ts makes one line and an exit code of. Starts no service.
 */

import { readFileSync } from 'node:fs';
import { CommanderError, type Command } from 'commander';
import { expect } from 'chai';
import { announce } from '../../src/tools/announce/announce.ts';
import { moderate, refuseFlagsOfService } from '../../src/tools/moderate/moderate.ts';
import type { ClientCommand } from '../../src/tools/client-command.ts';
import { createProgram } from '../../src/command-line.ts';
import { doctor } from '../../src/tools/doctor/doctor.ts';
import { checkHealth } from '../../src/service/commands/healthcheck.ts';
import { key } from '../../src/tools/key/key.ts';
import { list } from '../../src/tools/terminal/list.ts';
import { reset } from '../../src/service/commands/reset.ts';
import { simulate } from '../../src/tools/demo/simulate.ts';
import { watch } from '../../src/tools/terminal/watch.ts';
import { check } from '../../src/service/commands/check.ts';
import { createConfig, type Config } from '../../src/service/config/config.ts';
import { loadDeployment } from '../../src/service/deployment/deployment.ts';
import { ReadFiles } from '../../src/service/deployment/read-files.ts';
import type { Flags } from '../../src/service/config/layers.ts';
import { UsageError } from '../../src/runtime/usage-error.ts';

export type Variables = Readonly<Record<string, string>>;

const CLIENTS: Readonly<Record<string, ClientCommand>> = {
  announce,
  doctor,
  key,
  list,
  simulate,
  watch,
};

/** How long `healthcheck` waits for an answer here, unless a test says otherwise: a busy machine may need it. */
const PATIENCE_MS = 20_000;

/**
 * Resolves with what is printed; rejects as the command does. No service is started: `gsls` and `gsls demo` print
 * nothing.
 */
export async function runHere(
  args: readonly string[],
  environment: Variables = {},
  limitMs = PATIENCE_MS,
): Promise<string> {
  const client = CLIENTS[args[0] ?? ''];
  if (client !== undefined) return runClient(client, args.slice(1), environment);
  const configFrom = (flags: Flags): Config =>
    createConfig({ flags, environment, readFile: (path) => readFileSync(path, 'utf8') });
  let printed = '';
  const program = createProgram('1.2.3', {
    serve: async (flags) => void configFrom(flags),
    demo: async (flags) => void configFrom(flags),
    async healthcheck(flags) {
      printed = await checkHealth(configFrom(flags), limitMs);
    },
    async check(flags, checkFlags) {
      const sources = { flags, environment, readFile: new ReadFiles().read };
      printed = (await check(() => loadDeployment(sources), checkFlags)).text;
    },
    reset: (flags, isConfirmed) => reset(configFrom(flags), isConfirmed),
    async moderate(flags, command, own) {
      refuseFlagsOfService(flags, command);
      printed = await moderate(command, own, configFrom(flags), environment['USER']);
    },
  });
  for (const command of commandsIn(program))
    command.configureOutput({ writeOut: (text) => void (printed += text) });
  await program.parseAsync(args, { from: 'user' }).catch(passHelp);
  return printed;
}

async function runClient(
  command: ClientCommand,
  args: readonly string[],
  environment: Variables,
): Promise<string> {
  let printed = '';
  const output = { write: (text: string) => void (printed += text) };
  const context = { version: '1.2.3', environment, stdout: output, stderr: output };
  await command(args, context).catch(passHelp);
  return printed;
}

/** Throws what is neither a help nor the version, which are printed by then. */
function passHelp(error: unknown): void {
  if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
}

/** The message of the error of one line, which is a UsageError if the exit code is to be 2. */
export async function complaintHere(
  exitCode: 1 | 2,
  args: readonly string[],
  environment: Variables = {},
  limitMs = PATIENCE_MS,
): Promise<string> {
  const error = await runHere(args, environment, limitMs).then(
    (printed) => expect.fail(`there was nothing to complain about: ${printed}`),
    (each: unknown) => each,
  );
  expect(error).to.be.instanceOf(Error).and.not.be.instanceOf(CommanderError);
  expect(error instanceof UsageError).to.equal(exitCode === 2);
  const { message } = error as Error;
  expect(message).to.match(/^[^\n]+$/);
  return message;
}

function commandsIn(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsIn)];
}
