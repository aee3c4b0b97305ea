/**
 * The command line: its flags from the table of options, its commands, its help, and its complaints about all other
 * words. Reads no process and runs nothing itself.
 */

import { Help, type Command } from 'commander';
import type { BanCommand, BanFlags } from './tools/ban/ban.ts';
import type { Flags } from './service/config/config.ts';
import { UsageError, type OptionDefinition } from './service/config/option.ts';
import { OPTIONS } from './service/config/options.ts';
import { CLIENT_COMMANDS } from './tools/client-command.ts';
import { createCommand, formatItem, createOption } from './service/commands/create-command.ts';

/** No line is longer than 80 columns. */
const EXAMPLES = `
Examples:
  gsls                                         in memory, on port 53600
  gsls --data-file gsls.data                   the list survives a restart
  GSLS_KEY=secret gsls                         every request needs the key
  gsls --redis redis://10.0.0.5:6379           one of any number of replicas
  gsls --redis redis://10.0.0.5 --registry eu  a second registry in that Redis
  gsls demo --port 8080                        with a hundred invented servers
  gsls reset --redis redis://10.0.0.5          remove all game servers
  gsls ban list --url http://10.0.0.7:53600    the bans; see gsls help ban
`;

/** Those that most people need, in a few words. No line is longer than 80 columns. */
const FEW_OPTIONS = `
Options:
  --port <port>             the port to listen on (default: 53600)
  --host <address>          the address to listen on (default: ::, which is all)
  --key <key>               the key that every request needs, better as GSLS_KEY
  --public-read             reading needs no key
  --admin-key <key>         the key of moderators, better as GSLS_ADMIN_KEY
  --ttl <seconds>           how long an entry lives after a ping (default: 60)
  --unique-address          one entry for each host, IP and port
  --data-file <path>        keeps a registry in memory through restarts
  --redis <url>             the Redis that replicas share
  --registry <name>         one of several registries in one Redis
  --max-servers <count>     how many game servers may be listed
  --rate-limit <limits>     such as broadcast=30/m,ping=240/m for each client
  --trust-proxy <networks>  the proxies that name the client in a header
  --log-level <level>       how much to log (default: info)
  -v, --version             print the version
  -h, --help                print this help

Each option has a variable: GSLS_DATA_FILE is --data-file.
All options: gsls help options`;

const BAN_EXAMPLES = `
Examples:
  export GSLS_ADMIN_KEY=secret
  gsls ban add --server-name '*casino*' --reason spam
  gsls ban add --address 203.0.113.0/24 --mode silent --for 30d --reason floods
  gsls ban list --url http://10.0.0.7:53600 --json
  gsls ban remove 9f3c1e0b7a52d846
`;

/** What each command does with the flags given. */
export interface Actions {
  /** Runs when no command is given. */
  readonly serve: (flags: Flags) => Promise<void>;
  /** `servers`: the text of --servers, if it is given. */
  readonly demo: (flags: Flags, servers: string | undefined) => Promise<void>;
  readonly healthcheck: (flags: Flags) => Promise<void>;
  readonly reset: (flags: Flags, isConfirmed: boolean) => Promise<void>;
  readonly ban: (flags: Flags, command: BanCommand, banFlags: BanFlags) => Promise<void>;
}

/**
 * Its parseAsync rejects with the error of the action, with a UsageError when the command line is wrong, and with a
 * CommanderError of exit code 0 once help or version has been printed.
 */
export function createProgram(version: string, actions: Actions): Command {
  const program = createCommand(
    'gsls',
    'GSLS, the Game Server Listing Service: a master server that lists game servers over HTTP',
  )
    .usage('[options] [command]')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ visibleOptions: () => [] })
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
  const reset = createCommand(
    'reset',
    'remove all game servers from the registry in Redis; they have to broadcast again',
  )
    .summary('remove all game servers from the registry in Redis')
    .usage('[options of gsls] [--yes]')
    .option('--yes', 'do not ask for confirmation')
    .action(() => actions.reset(program.opts(), reset.opts<{ yes?: true }>().yes === true));
  program.addCommand(reset);
  program.addCommand(createBanCommand((command, flags) => actions.ban(program.opts(), command, flags)));
  for (const [name, summary] of Object.entries(CLIENT_COMMANDS))
    program.addCommand(createPointer(name, summary));
  program.addCommand(createOptionsCommand(program));
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

function createBanCommand(action: (command: BanCommand, flags: BanFlags) => Promise<void>): Command {
  const add = createCommand('add', 'ban all game servers that match every pattern given')
    .option('--server-id <id>', 'the id of an entry')
    .option('--address <address>', "a network or an address: the client's or the announced one")
    .option('--server-host <glob>', 'a host; * stands for any characters, ? for one')
    .option('--server-name <glob>', 'a name, likewise; upper and lower case are the same')
    .option('--reason <text>', 'why, as the game server is told')
    .option('--mode <mode>', 'refuse tells the game server; silent answers as ever, and hides its entry')
    .option('--for <duration>', 'how long, like 90m, 12h, 30d or 2w; for ever if it is left out')
    .option('--expires-at <time>', 'until when, in ISO 8601 like 2027-01-31T12:00:00Z')
    .option('--author <name>', 'who says so (default: the user)');
  add.action(() => action('add', add.opts()));
  const list = createCommand('list', 'print all bans');
  list.action(() => action('list', list.opts()));
  const remove = createCommand('remove', 'end a ban')
    .argument('<ban>', 'the id of the ban, as add and list print it')
    .option('--author <name>', 'who says so (default: the user)');
  remove.action((ban: string) => action('remove', { ...remove.opts<BanFlags>(), ban }));

  const command = createCommand('ban', 'add, list and remove bans, by a replica that has an admin key')
    .summary('add, list and remove bans; see gsls help ban')
    .usage('add|list|remove [options] [options of gsls]')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', BAN_EXAMPLES);
  for (const each of [add, list, remove])
    command.addCommand(
      each
        .option(
          '--url <url>',
          'the address of any replica, of its operations port if it has one (default: this machine, as --ops-port or else GSLS_PORT says)',
        )
        .option('--json', 'print the answer of the service'),
    );
  return command;
}
