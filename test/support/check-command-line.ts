/**
 * A command line of the program, taken apart as the program does it, up to what would be started: the option table and
 * the configuration judge it. Opens no file and no connection; that is left to `actions`.
 */

import { CommanderError, type Command } from 'commander';
import type { ModerationCommand, ModerationFlags } from '../../src/tools/moderate/moderate.ts';
import type { ClientCommand } from '../../src/tools/client-command.ts';
import { createBeaconCommand } from '../../src/tools/beacon/beacon.ts';
import { createConformanceCommand } from '../../src/tools/conformance/conformance.ts';
import { createDoctorCommand } from '../../src/tools/doctor/doctor.ts';
import { key } from '../../src/tools/key/key.ts';
import { createListCommand } from '../../src/tools/terminal/list.ts';
import { createSimulateCommand } from '../../src/tools/demo/simulate.ts';
import { createWatchCommand } from '../../src/tools/terminal/watch.ts';
import { createProgram } from '../../src/command-line.ts';
import { createConfig, type Config } from '../../src/service/config/config.ts';
import type { Flags } from '../../src/service/config/layers.ts';

/** What a file named by an option holds, whichever it is: a line that is a key, a secret and a password. */
const LINE_OF_A_FILE = '0123456789abcdef0123456789abcdef';

/** Instead of what a command does once its words are understood. */
const goNoFurther = (): Promise<never> => Promise.reject(new CommanderError(0, '', ''));

/** Those with options of their own, by the first word. */
const CLIENTS: Readonly<Record<string, ClientCommand>> = {
  beacon: createBeaconCommand(goNoFurther),
  doctor: createDoctorCommand(goNoFurther),
  list: createListCommand(goNoFurther),
  watch: createWatchCommand(goNoFurther),
  simulate: createSimulateCommand(goNoFurther),
  conformance: createConformanceCommand(goNoFurther),
  key,
};

/** Rejects with the UsageError of the program. `moderate`: is called for the commands of moderators. */
export async function checkCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  moderate: (command: ModerationCommand, flags: ModerationFlags, config: Config) => Promise<unknown>,
): Promise<void> {
  const configure = (flags: Flags): Config =>
    createConfig({
      flags,
      environment,
      readFile: (path) => (path.endsWith('.json') ? '{}' : LINE_OF_A_FILE),
    });
  const serve = async (flags: Flags): Promise<void> => void configure(flags);
  const program = createProgram('', {
    serve,
    demo: serve,
    healthcheck: serve,
    check: serve,
    reset: serve,
    moderate: async (flags, command, own) => void (await moderate(command, own, configure(flags))),
  });
  silence(program);
  const client = CLIENTS[args[0] ?? ''];
  // The name alone is no command: a text speaks of it.
  if (client !== undefined && args.length === 1) return;
  const output = { write: () => undefined };
  try {
    if (client !== undefined)
      await client(args.slice(1), { version: '', environment, stdout: output, stderr: output });
    else await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    // Help and version.
    if (!(error instanceof CommanderError)) throw error;
  }
}

function silence(command: Command): void {
  command.configureOutput({ writeOut: () => undefined });
  command.commands.forEach(silence);
}
