/** The words of `gsls ban`: its three commands, their flags and their help. */

import type { Command } from 'commander';
import { createCommand } from '../../service/commands/create-command.ts';
import type { BanCommand, BanFlags } from './ban.ts';

const EXAMPLES = `
Examples:
  export GSLS_ADMIN_KEY=secret
  gsls ban add --server-name '*casino*' --reason spam
  gsls ban add --address 203.0.113.0/24 --mode silent --for 30d --reason floods
  gsls ban list --url http://10.0.0.7:53600 --json
  gsls ban remove 9f3c1e0b7a52d846
`;

/** `action` gets the name of the command that is given, with its flags. */
export function createBanCommand(action: (command: BanCommand, flags: BanFlags) => Promise<void>): Command {
  const add = createCommand('add', 'ban all game servers that match every pattern given')
    .option('--server-id <id>', 'the id of an entry')
    .option('--address <address>', "a network or an address: the client's or the announced one")
    .option('--server-host <glob>', 'a host; * stands for any characters, ? for one')
    .option('--server-name <glob>', 'a name, likewise; upper and lower case are the same')
    .option('--reason <text>', 'why, as the game server is told')
    .option('--mode <mode>', 'refuse tells the game server; silent answers as ever, and hides its entry')
    .option('--for <duration>', 'how long, like 90m, 12h, 30d or 2w; for ever if it is left out')
    .option('--expires-at <time>', 'until when, in ISO 8601 like 2027-01-31T12:00:00Z')
    .option('--author <name>', 'who says so (default: $USER)');
  add.action(() => action('add', add.opts()));
  const list = createCommand('list', 'print all bans');
  list.action(() => action('list', list.opts()));
  const remove = createCommand('remove', 'end a ban')
    .argument('<ban>', 'the id of the ban, as add and list print it')
    .option('--author <name>', 'who says so (default: $USER)');
  remove.action((ban: string) => action('remove', { ...remove.opts<BanFlags>(), ban }));

  const command = createCommand('ban', 'add, list and remove bans, by a replica that has an admin key')
    .summary('add, list and remove bans; see gsls help ban')
    .usage('add|list|remove [options] [options of gsls]')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES);
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
