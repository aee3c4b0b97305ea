/** The words of moderators: their commands, flags and help. */

import type { Command } from 'commander';
import { createCommand } from '../../service/commands/create-command.ts';
import type { ModerationCommand, ModerationFlags } from './moderate.ts';

/** Gets the command that is given, with its flags. */
export type ModerationAction = (command: ModerationCommand, flags: ModerationFlags) => Promise<void>;

const BAN_EXAMPLES = `
Examples:
  export GSLS_ADMIN_KEY=secret
  gsls ban add --server-name '*casino*' --reason spam
  gsls ban add --address 203.0.113.0/24 --mode silent --for 30d --reason floods
  gsls ban list --url http://10.0.0.7:53600 --json
  gsls ban remove 9f3c1e0b7a52d846
`;

const LABEL_EXAMPLES = `
Examples:
  export GSLS_ADMIN_KEY=secret
  gsls label add official --id _jGC2t-VM0QnfsWfkkPY3w
  gsls label add featured --server-name 'Cup *' --for 2d
  gsls label list
  gsls label remove 9f3c1e0b7a52d846
`;

const SERVERS_EXAMPLES = `
Parameters are those of GET /admin/servers: the filters of GET /servers, and
  shown=false, reports=1.., network=203.0.113.0/24, hidden_by=ban, labels=*

Examples:
  gsls servers shown=false
  gsls servers reports=1.. sort=-reports
  gsls servers q=casino --limit 1000 --json
`;

const AUTHOR = ['--author <name>', 'who says so (default: $USER)'] as const;

export function createModerationCommands(action: ModerationAction): readonly Command[] {
  return [
    createBanCommand(action),
    createLabelCommand(action),
    createServersCommand(action),
    createRemoveCommand(action),
    createReportsCommand(action),
  ];
}

function createBanCommand(action: ModerationAction): Command {
  const add = withPatterns(createCommand('add', 'ban all game servers that match every pattern given'))
    .option('--reason <text>', 'why, as the game server is told')
    .option('--mode <mode>', 'refuse tells the game server; silent answers as ever, and hides its entry');
  withEnd(add).action(() => action({ is: 'ban add' }, add.opts()));
  const list = createCommand('list', 'print all bans');
  list.action(() => action({ is: 'ban list' }, list.opts()));
  const remove = createCommand('remove', 'end a ban')
    .argument('<ban>', 'the id of the ban, as add and list print it')
    .option(...AUTHOR);
  remove.action((word: string) => action({ is: 'ban remove', word }, remove.opts()));
  return group('ban', 'bans', [add, list, remove], BAN_EXAMPLES);
}

function createLabelCommand(action: ModerationAction): Command {
  const add = withPatterns(
    createCommand('add', 'give a label to all game servers that match every pattern given'),
  )
    .argument('<label>', 'official, featured, 18+, warned, trusted, or one of --labels')
    .option('--token-sha256 <hash>', 'the SHA-256 of the server token of the entry, in hexadecimal digits')
    .option('--reason <text>', 'why, for the audit');
  withEnd(add).action((word: string) => action({ is: 'label add', word }, add.opts()));
  const list = createCommand('list', 'print all labels that are given');
  list.action(() => action({ is: 'label list' }, list.opts()));
  const remove = createCommand('remove', 'take a label back')
    .argument('<rule>', 'its id, as add and list print it')
    .option(...AUTHOR);
  remove.action((word: string) => action({ is: 'label remove', word }, remove.opts()));
  return group('label', 'labels', [add, list, remove], LABEL_EXAMPLES);
}

function createServersCommand(action: ModerationAction): Command {
  const command = createCommand('servers', 'print all entries, also those that the list does not show')
    .summary('print all entries, as moderators see them')
    .usage('[parameters...] [options] [options of gsls]')
    .argument('[parameters...]', 'such as shown=false')
    .option('--limit <count>', 'how many at most, up to 1000 (default: 100)')
    .addHelpText('after', SERVERS_EXAMPLES);
  return withUrl(command).action((words: readonly string[]) =>
    action({ is: 'servers', words }, command.opts()),
  );
}

function createRemoveCommand(action: ModerationAction): Command {
  const command = createCommand('remove', 'remove an entry for good; a ban keeps its game server away')
    .summary('remove an entry for good')
    .usage('<id> [options] [options of gsls]')
    .argument('<id>', 'of the entry')
    .option(...AUTHOR);
  return withUrl(command).action((word: string) => action({ is: 'remove', word }, command.opts()));
}

function createReportsCommand(action: ModerationAction): Command {
  const list = createCommand('list', 'print what readers reported');
  list.action(() => action({ is: 'reports' }, list.opts()));
  const dismiss = createCommand(
    'dismiss',
    'forget what was reported of an entry, and show it again if that hid it',
  )
    .argument('<id>', 'of the entry')
    .option(...AUTHOR);
  dismiss.action((word: string) => action({ is: 'dismiss', word }, dismiss.opts()));
  return group('reports', 'reports', [list, dismiss], '');
}

function withPatterns(command: Command): Command {
  return command
    .option('--server-id <id>', 'the id of an entry')
    .option('--id <id>', 'the same')
    .option('--address <address>', "a network or an address: the client's or the announced one")
    .option('--server-host <glob>', 'a host; * stands for any characters, ? for one')
    .option('--server-name <glob>', 'a name, likewise; upper and lower case are the same');
}

function withEnd(command: Command): Command {
  return command
    .option('--for <duration>', 'how long, like 90m, 12h, 30d or 2w; for ever if it is left out')
    .option('--expires-at <time>', 'until when, in ISO 8601 like 2027-01-31T12:00:00Z')
    .option(...AUTHOR);
}

function withUrl(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'the address of any replica, of its operations port if it has one (default: this machine, as --ops-port or else GSLS_PORT says)',
    )
    .option('--json', 'print the answer of the service');
}

/** `what`: the plural of what the commands are about. */
function group(name: string, what: string, commands: readonly Command[], examples: string): Command {
  const verbs = commands.map((each) => each.name());
  const listed = `${verbs.slice(0, -1).join(', ')} and ${verbs.at(-1)}`;
  const command = createCommand(name, `${listed} ${what}, by a replica that has an admin key`)
    .summary(`${listed} ${what}; see gsls help ${name}`)
    .usage(`${verbs.join('|')} [options] [options of gsls]`)
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', examples);
  // Without a verb `gsls reports` prints them.
  for (const each of commands)
    command.addCommand(withUrl(each), { isDefault: name === 'reports' && each.name() === 'list' });
  return command;
}
