/**
 * `gsls announce`: keeps running game servers listed until a signal, or lists them once. Without --once and --dry-run
 * its standard output is its log.
 */

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { createAnnounceConfig, type AnnounceConfig, type AnnounceSources } from './config/announce-config.ts';
import type { GivenTexts } from './config/announce-layers.ts';
import { ANNOUNCE_OPTIONS } from './config/announce-options.ts';
import { tokenFolderOf } from './token-file.ts';
import type { OptionDefinition } from '../../service/config/option.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { ClientCommand } from '../client-command.ts';
import { createCommand, createOption } from '../../service/commands/create-command.ts';

/** No line is longer than 80 columns. */
const EXAMPLES = `
Examples:
  gsls announce --to https://gsls.example.com --query quake3 127.0.0.1:27960
  gsls announce --to http://localhost:53600 --query a2s [::1]:27015 --region eu
  gsls announce --to https://a.example.com,https://b.example.com \\
      --exec "status.sh --json" --port 7777 --name "Frankfurt 1"
  GSLS_KEY=secret gsls announce --to https://gsls.example.com \\
      --state /run/game/state.json --port 7777
  gsls announce --config servers.json --ops-port 9100
  gsls announce --query minecraft 127.0.0.1:25565 --to http://localhost:53600 \\
      --dry-run
`;

/** Its words and its exit code are those of a ClientCommand. */
export const announce: ClientCommand = async (args, context) => {
  const config = await readAnnounce(args, {
    environment: context.environment,
    readFile: (path) => readFileSync(path, 'utf8'),
    hostName: hostname(),
    print: (text) => void context.stdout.write(text),
  });
  const { runAnnounce } = await import('./run-announce.ts');
  return runAnnounce(
    config,
    config.tokenDir ?? tokenFolderOf(context.environment, process.platform === 'win32'),
    context,
  );
};

/** Parses the words. Rejects as a ClientCommand does; a help goes to `print`. */
export async function readAnnounce(
  args: readonly string[],
  { print, ...sources }: Omit<AnnounceSources, 'flags'> & { readonly print: (text: string) => void },
): Promise<AnnounceConfig> {
  const command = createCommand(
    'gsls announce',
    'Keeps a running game server listed without touching it: it is asked what it is, and what it says is announced by the rules of the service.',
  )
    .usage('--to <url> --query <kind> <host:port> [options]')
    .argument('[address]', 'of the game server, as HOST:PORT, behind --query')
    .configureOutput({ writeOut: print })
    .addHelpText('after', EXAMPLES);
  for (const [name, definition] of Object.entries<OptionDefinition<unknown>>(ANNOUNCE_OPTIONS))
    command.addOption(createOption(name, definition));
  await command.parseAsync(args, { from: 'user' });
  return createAnnounceConfig({ ...sources, flags: givenOf(command) });
}

/** The address is a word of its own, behind the kind of the query. */
function givenOf(command: Command): GivenTexts {
  const flags = command.opts<Record<string, readonly string[] | true>>();
  const [address] = command.args;
  if (address === undefined) return flags;
  const kind = flags['query'];
  if (kind === undefined || kind === true)
    throw new UsageError(
      'an address needs --query before it: --query a2s HOST:PORT; a value with spaces needs quotes',
    );
  return { ...flags, query: [`${kind[0]} ${address}`] };
}
