/**
 * The command line of the service: its flags from the table of options, its commands, its help, and its complaints
 * about all other words. Each command loads what it needs.
 */

import { Help, type Command } from 'commander';
import type { ModerationAction } from './tools/moderate/create-moderation-commands.ts';
import type { Config } from './service/config/config.ts';
import { loadConfig, loadDeployment } from './service/deployment/deployment.ts';
import type { Flags } from './service/config/layers.ts';
import type { OptionDefinition } from './service/config/option.ts';
import { UsageError } from './runtime/usage-error.ts';
import { OPTIONS } from './service/config/options.ts';
import { ReadFiles } from './service/deployment/read-files.ts';
import type { Rereading } from './service/deployment/config-watch.ts';
import type { CheckFlags } from './service/commands/check.ts';
import { CLIENT_COMMANDS } from './tools/client-command.ts';
import { createCommand, createOption, formatItem, listing } from './service/commands/create-command.ts';
import { didYouMean } from './model/did-you-mean.ts';
import { createMirrorCommand } from './service/commands/create-mirror-command.ts';
import { createModerationCommands } from './tools/moderate/create-moderation-commands.ts';

/** No line is longer than 80 columns. */
const EXAMPLES = `
Examples:
  gsls                                         in memory, on port 53600
  gsls --redis redis://10.0.0.5:6379           one of any number of replicas
  gsls --config gsls.yaml                      the games and keys of a file
  gsls ban list --url http://10.0.0.7:53600    the bans; see gsls help ban
`;

/** The options that most people need, in a few words. No line is longer than 80 columns. */
const FEW_OPTIONS = `
Options:
  --config <file>           options, registries and keys in a file of YAML
  --port <port>             the port to listen on (default: 53600)
  --host <address>          the address to listen on (default: ::, which is all)
  --key <key>               the key that every request needs, better as GSLS_KEY
  --public-read             reading needs no key
  --admin-key <key>         the key of moderators, better as GSLS_ADMIN_KEY
  --ttl <seconds>           how long an entry lives after a ping (default: 60)
  --data-file <path>        keeps a registry in memory through restarts
  --redis <url>             the Redis that replicas share
  --max-servers <count>     how many game servers may be listed
  --rate-limit <limits>     such as broadcast=30/m,ping=240/m for each client
  -v, --version             print the version
  -h, --help                print this help

Each option has a variable: GSLS_DATA_FILE is --data-file.
All options: gsls help options`;

/** The actions of the commands, by the flags that are given. */
export interface Actions {
  /** Runs when no command is given. */
  readonly serve: (flags: Flags) => Promise<void>;
  /** `servers`: the text of --servers, if it is given. */
  readonly demo: (flags: Flags, servers: string | undefined) => Promise<void>;
  readonly healthcheck: (flags: Flags) => Promise<void>;
  readonly check: (flags: Flags, checkFlags: CheckFlags) => Promise<void>;
  readonly reset: (flags: Flags, isConfirmed: boolean) => Promise<void>;
  readonly moderate: (flags: Flags, ...about: Parameters<ModerationAction>) => Promise<void>;
}

/** Rejects with a UsageError or an Error of one line, or with a CommanderError once help or version is printed. */
export async function runService(version: string): Promise<void> {
  const program = createProgram(version, {
    serve: async (flags) => {
      const rereading = readingFrom(flags);
      const deployment = await rereading.load();
      if (deployment.config.workers === 1) {
        const { serve } = await import('./service/commands/serve.ts');
        return serve(deployment, version, { rereading });
      }
      // The primary owns the others and answers no request; node:cluster starts each worker with the same words.
      const { default: cluster } = await import('node:cluster');
      if (cluster.isPrimary)
        return (await import('./service/commands/primary.ts')).runPrimary(deployment, version);
      return (await import('./service/commands/worker.ts')).runWorker(deployment, version, rereading);
    },
    demo: async (flags, servers) => {
      const config = await configFrom(flags);
      const { demo } = await import('./tools/demo/demo.ts');
      await demo(config, version, servers);
    },
    healthcheck: async (flags) => {
      const { checkHealth } = await import('./service/commands/healthcheck.ts');
      process.stdout.write(`${await checkHealth(await configFrom(flags))}\n`);
    },
    check: async (flags, checkFlags) => {
      const { check } = await import('./service/commands/check.ts');
      const { text, code } = await check(readingFrom(flags).load, checkFlags);
      (code === 2 ? process.stderr : process.stdout).write(text);
      process.exitCode = code;
    },
    reset: async (flags, isConfirmed) => {
      const config = await configFrom(flags);
      const { reset } = await import('./service/commands/reset.ts');
      await reset(config, isConfirmed);
    },
    moderate: async (flags, command, own) => {
      const { moderate, refuseFlagsOfService } = await import('./tools/moderate/moderate.ts');
      refuseFlagsOfService(flags, command);
      process.stdout.write(await moderate(command, own, await configFrom(flags), process.env['USER']));
    },
  });
  await program.parseAsync();
}

/** Reads what is to be served, now and whenever it is asked to. */
function readingFrom(flags: Flags): Rereading {
  const files = new ReadFiles();
  const load = () => loadDeployment({ flags, environment: process.env, readFile: files.read });
  return { files, load };
}

/** The options of the process, for a command that serves nothing itself. */
function configFrom(flags: Flags): Promise<Config> {
  return loadConfig({ flags, environment: process.env, readFile: new ReadFiles().read });
}

/**
 * Its parseAsync rejects with the error of the action, with a UsageError when the command line is wrong, and with a
 * CommanderError of exit code 0 once help or version has been printed.
 */
export function createProgram(version: string, actions: Actions): Command {
  const program = createCommand('gsls', 'GSLS, the Game Server Listing Service: a master server over HTTP')
    .usage('[options] [command]')
    .helpCommand(false)
    .configureHelp({ visibleOptions: () => [], subcommandTerm: (command) => command.name() })
    .addHelpText('after', EXAMPLES + FEW_OPTIONS)
    .action(() => actions.serve(program.opts()));
  for (const [name, definition] of Object.entries<OptionDefinition<unknown>>(OPTIONS))
    program.addOption(createOption(name, definition));

  program.version(version, '-V');
  program.options.at(-1)!.hideHelp();
  program.version(version, '-v, --version', 'print the version');

  const demo = createCommand('demo', 'try it with invented game servers, in memory; Ctrl-C ends it')
    .summary('try it with a hundred invented game servers')
    .usage('[options of gsls] [--servers <count>]')
    .option('--servers <count>', 'how many game servers it invents, 1 to 10000 (default: 100)')
    .action(() => actions.demo(program.opts(), demo.opts<{ servers?: string }>().servers));
  program.addCommand(demo);
  program.addCommand(
    createCommand(
      'healthcheck',
      'check the health of the replica on --host and --port; exit code 1 if it is not healthy',
    )
      .summary('check the health of a replica; exit code 1 if it is bad')
      .usage('[options of gsls]')
      .action(() => actions.healthcheck(program.opts())),
  );
  const check = createCommand(
    'check',
    'check the configuration: prints what would be served, or all that is wrong; exit code 0, 1 if Redis is not reached, 2 if something is wrong',
  )
    .summary('check the configuration, and print what it serves')
    .usage('[options of gsls] [--connect] [--json]')
    .option('--connect', 'try whether Redis is reached')
    .option('--json', 'one line of JSON, for programs')
    .action(() => actions.check(program.opts(), check.opts<CheckFlags>()));
  program.addCommand(check);
  const reset = createCommand(
    'reset',
    'remove all game servers from the registry in Redis; they have to broadcast again',
  )
    .summary('remove all game servers from the registry in Redis')
    .usage('[options of gsls] [--yes]')
    .option('--yes', 'do not ask for confirmation')
    .action(() => actions.reset(program.opts(), reset.opts<{ yes?: true }>().yes === true));
  program.addCommand(reset);
  for (const command of createModerationCommands((...about) => actions.moderate(program.opts(), ...about)))
    program.addCommand(command);
  program.addCommand(createMirrorCommand((flags) => actions.serve({ ...program.opts(), ...flags })));
  for (const [name, summary] of Object.entries(CLIENT_COMMANDS))
    program.addCommand(createPointer(name, summary));
  program.addCommand(createOptionsCommand(program));
  program.addCommand(createHelpCommand(program));
  return program;
}

/** For the list of commands: with its name as the first word, cli.ts runs the command itself. */
function createPointer(name: string, summary: string): Command {
  return createCommand(name, summary)
    .allowExcessArguments()
    .allowUnknownOption()
    .action(() => {
      throw new UsageError(
        `${name} has options of its own: write gsls ${name} first, and see gsls ${name} --help`,
      );
    });
}

/** Its help is that of all options of the program, and all that it prints. */
function createOptionsCommand(program: Command): Command {
  const command: Command = createCommand('options', 'all options; a flag wins over its variable')
    .summary('print all options, by group')
    .configureHelp({
      formatItem,
      commandUsage: () => `${program.name()} ${program.usage()}`,
      visibleOptions: () => new Help().visibleOptions(program),
    })
    .action(() => command.help());
  return command;
}

/** Prints the help of the program, of a command, or of an option: by its name or its variable. */
function createHelpCommand(program: Command): Command {
  return createCommand('help', 'print the help of a command or an option')
    .usage('[command or option]')
    .argument('[word]')
    .action((word: string | undefined) => {
      if (word === undefined) program.help();
      const commands = program.commands.filter((each) => each.name() !== 'help');
      const command = commands.find((each) => each.name() === word);
      if (command !== undefined) command.help();
      const definitions = Object.entries<OptionDefinition<unknown>>(OPTIONS);
      const found = definitions.find(([, { flag, variable }]) => [flag.slice(2), variable].includes(word));
      if (found === undefined) {
        const names = commands.map((each) => each.name());
        const flags = definitions.map(([, { flag }]) => flag.slice(2));
        const guess = didYouMean(word, [...names, ...flags]);
        throw new UsageError(
          `no such command or option${guess || `; the commands are ${listing(names)}, and gsls help options shows the options`}`,
        );
      }
      const { flags, description } = createOption(...found);
      program.configureOutput().writeOut!(`${formatItem(flags, 0, description, new Help())}\n`);
    });
}
