/** `gsls list`: prints what a service lists, as a table, as lines, as JSON or as CSV. */

import type { Ask } from '../../../clients/typescript/src/ask.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { ClientCommand, CommandContext } from '../client-command.ts';
import type { ServersRead } from './read-servers.ts';
import { createCommand } from '../../service/commands/create-command.ts';

const EXAMPLES = `
Parameters are those of GET /servers, as words or as one query string:
  region=eu, players=1.., q=frankfurt, map=de_*, full=false, sort=-players

Examples:
  gsls list http://localhost:53600
  gsls list https://list.example.com region=eu players=1.. sort=-players
  gsls list https://list.example.com q=frankfurt --columns name,players,tags
  gsls list https://list.example.com 'map=de_*&full=false' --limit 20
  gsls list https://list.example.com --json > servers.json
  gsls list https://list.example.com --csv --columns name,address > servers.csv
  gsls list https://list.example.com | cut -f1
  gsls list https://list.example.com --near --limit 10
  gsls list https://eu.example.com https://us.example.com
`;

interface ListFlags {
  readonly columns?: string;
  readonly limit?: string;
  readonly near?: true;
  readonly json?: true;
  readonly csv?: true;
  readonly key?: string;
}

/** The width of a terminal that does not report one. */
const USUAL_COLUMNS = 80;

type Run = typeof printList;

/** Its words and its exit code are those of a ClientCommand. `run`: what it does once its words are understood. */
export const createListCommand =
  (run: Run): ClientCommand =>
  async (args, context) => {
    let code = 0;
    const command = createCommand('gsls list', 'print what a service lists, narrowed by parameters')
      .argument('<url>', 'of the service')
      .argument('[parameters...]', 'such as region=eu, and further URLs')
      .option('--columns <names>', 'what is shown, such as name,players,tags,meta.language')
      .option('--limit <count>', 'so many servers at most (default: all that match)')
      .option('--near', 'the nearest first: measures the beacons of the service')
      .option('--json', 'an array with a server a line, as the API tells them')
      .option('--csv', 'comma-separated values, with a head')
      .option('--key <key>', 'the key of the service, better as GSLS_KEY')
      .addHelpText('after', EXAMPLES)
      .configureOutput({ writeOut: (text) => void context.stdout.write(text) })
      .action(async (url: string, words: readonly string[], flags: ListFlags) => {
        code = await run(url, words, flags, context);
      });
    await command.parseAsync(args, { from: 'user' });
    return code;
  };

export const list = createListCommand(printList);

async function printList(
  urlText: string,
  words: readonly string[],
  flags: ListFlags,
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  const { keyOf, takeServiceUrls, whyNot } = await import('../asked-service.ts');
  const { parseColumns, needMeta, TABLE_COLUMNS, LINE_COLUMNS, NEAR_COLUMNS } = await import('./columns.ts');
  const { urls, rest } = takeServiceUrls([urlText, ...words]);
  if (flags.json && flags.csv) throw new UsageError('--json and --csv are two forms: give one of them');
  if (flags.json && flags.columns !== undefined)
    throw new UsageError('--json has all that the API tells: leave out --columns');
  const isTable = stdout.isTTY === true && !flags.csv;
  const columns = flags.columns === undefined ? undefined : parseColumns(flags.columns);
  if (typeof columns === 'string') throw new UsageError(`--columns ${columns}`);
  const usual = isTable ? TABLE_COLUMNS : LINE_COLUMNS;
  const shown = columns ?? (flags.near ? [...usual, ...NEAR_COLUMNS] : usual);
  const { query, most } = await readParameters(rest, flags.limit, needMeta(shown));

  const { createAsk } = await import('../../../clients/typescript/src/ask.ts');
  const { httpFetch } = await import('../../runtime/http-fetch.ts');
  const { readServers } = await import('./read-servers.ts');
  const key = keyOf(flags, environment);
  const failures: Error[] = [];
  let read: ServersRead | undefined;
  for (const url of urls) {
    const ask = createAsk({ url, key, fetch: httpFetch });
    const near = flags.near ? await nearHere(ask) : [];
    if (flags.near && near.length === 0)
      stderr.write(`gsls: ${url} names no beacon that answers, so the order is as without --near\n`);
    const asked = [query, ...near].filter((part) => part !== '').join('&');
    const answer = await readServers(ask, asked, most, Date.now);
    if (!('reason' in answer)) {
      read = answer;
      if (failures.length > 0) stderr.write(`gsls: ${failures[0]!.message}; this is the list of ${url}\n`);
      break;
    }
    failures.push(whyNot(url, answer));
  }
  if (read === undefined) throw failures[0]!;

  const { servers, total, staleSince } = read;
  if (staleSince !== undefined)
    stderr.write(
      `gsls: the list is as of ${new Date(staleSince).toISOString()}: the service has none newer\n`,
    );
  if (flags.json) {
    const { printableJson } = await import('../../model/printable.ts');
    const lines = servers.map((server) => printableJson(JSON.stringify(server)).trimEnd());
    stdout.write(lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`);
  } else if (flags.csv) {
    const { csvLines } = await import('./columns.ts');
    stdout.write(`${csvLines(shown, servers).join('\r\n')}\r\n`);
  } else {
    const { countsLine, plainLines, tableLines } = await import('./table.ts');
    if (!isTable) {
      stdout.write(
        plainLines(shown, servers)
          .map((line) => `${line}\n`)
          .join(''),
      );
      return 0;
    }
    // no-color.org defines NO_COLOR.
    const isColorful = !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
    const width = stdout.columns ?? USUAL_COLUMNS;
    const lines = await tableLines({ columns: shown, servers, width, isColorful });
    stdout.write(`${[...lines, countsLine(servers, total)].join('\n')}\n`);
  }
  return 0;
}

/** The parameters by which the nearest come first; none where nothing could be measured. */
async function nearHere(ask: Ask): Promise<readonly string[]> {
  const { measureFromHere } = await import('../measure-from-here.ts');
  const { nearText } = await import('../../model/near.ts');
  const latency = await measureFromHere(await ask({ method: 'GET', path: '/beacons' }));
  return Object.keys(latency).length === 0 ? [] : [`near=${nearText(latency)}`, 'sort=near'];
}

/** `limit` may be one of the words, and is then that of all pages together. */
async function readParameters(
  words: readonly string[],
  limit: string | undefined,
  isMetaNeeded: boolean,
): Promise<{ readonly query: string; readonly most: number }> {
  const { parseParameterWords } = await import('../asked-service.ts');
  const { takeParameter } = await import('./parameters.ts');
  const { value, rest } = takeParameter(parseParameterWords(words), 'limit');
  if (value !== undefined && limit !== undefined)
    throw new UsageError('--limit and limit= say the same: give one of them');
  const text = limit ?? value ?? 'all';
  if (text !== 'all' && !/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(
      `${limit === undefined ? 'limit=' : '--limit'} must be an integer from 1 on, not "${text}"`,
    );
  const parts = [
    ...rest.split('&'),
    ...(isMetaNeeded && !/(^|&)include=/.test(rest) ? ['include=meta'] : []),
  ];
  return {
    query: parts.filter((part) => part !== '').join('&'),
    most: text === 'all' ? Infinity : Number(text),
  };
}
