/** `gsls watch`: follows what a service lists, on a screen in a terminal and in lines elsewhere. */

import { UsageError } from '../config/option.ts';
import type { ClientCommand, CommandContext } from './client-command.ts';
import { createCommand } from './create-command.ts';
import type { Watched } from './watched.ts';

const EXAMPLES = `
Parameters are the filters of GET /servers and sort, as words or as one query
string: region=eu, players=1.., q=frankfurt, sort=name. Keys: arrows or j and
k move, Enter opens a server and Esc goes back, / filters while you type, s
sorts by something else and r the other way round, q quits.

What is no terminal gets a line for each change: + for a server that came, -
for one that left, ~ for one that changed.

Examples:
  gsls watch http://localhost:53600
  gsls watch https://list.example.com region=eu full=false
  gsls watch https://list.example.com sort=name --columns name,players,tags
  gsls watch https://list.example.com | grep ' + '
`;

interface WatchFlags {
  readonly columns?: string;
  readonly key?: string;
}

type Run = typeof follow;

/** Its words and its exit code are those of a ClientCommand. `run`: what it does once its words are understood. */
export const createWatchCommand =
  (run: Run): ClientCommand =>
  async (args, context) => {
    const command = createCommand('gsls watch', 'follow what a service lists, as it changes')
      .argument('<url>', 'of the service')
      .argument('[parameters...]', 'such as region=eu')
      .option('--columns <names>', 'what is shown, such as name,players,tags')
      .option('--key <key>', 'the key of the service, better as GSLS_KEY')
      .addHelpText('after', EXAMPLES)
      .configureOutput({ writeOut: (text) => void context.stdout.write(text) })
      .action((url: string, words: readonly string[], flags: WatchFlags) => run(url, words, flags, context));
    await command.parseAsync(args, { from: 'user' });
    return 0;
  };

export const watch = createWatchCommand(follow);

async function follow(
  urlText: string,
  words: readonly string[],
  flags: WatchFlags,
  context: CommandContext,
): Promise<void> {
  const { keepHeapSmall } = await import('./small-heap.ts');
  keepHeapSmall();
  const watched = await readWatched(urlText, words, flags, context);
  await refuseAtOnce(watched);
  const isScreen = context.stdout.isTTY === true && context.environment['TERM'] !== 'dumb';
  if (isScreen) await (await import('./watch-screen.ts')).showScreen(watched, context);
  else await (await import('./watch-lines.ts')).printLines(watched, context);
}

async function readWatched(
  urlText: string,
  words: readonly string[],
  flags: WatchFlags,
  { environment }: CommandContext,
): Promise<Watched> {
  const { keyOf, parseServiceUrl } = await import('./asked-service.ts');
  const { parseColumns, TABLE_COLUMNS } = await import('../terminal/columns.ts');
  const { queryOf, takeParameter } = await import('../terminal/parameters.ts');
  const { complaintOfSort, DEFAULT_SORT } = await import('../terminal/watched-list.ts');
  const url = parseServiceUrl(urlText).href.replace(/\/$/, '');
  const columns = flags.columns === undefined ? TABLE_COLUMNS : parseColumns(flags.columns);
  if (typeof columns === 'string') throw new UsageError(`--columns ${columns}`);
  let all: string;
  try {
    all = queryOf(words);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  for (const name of ['limit', 'cursor'])
    if (takeParameter(all, name).value !== undefined)
      throw new UsageError(`${name} is for gsls list: gsls watch follows all that match`);
  const { value: sort = DEFAULT_SORT, rest } = takeParameter(all, 'sort');
  const complaint = complaintOfSort(sort);
  if (complaint !== undefined) throw new UsageError(`sort ${complaint}`);
  // The keys of meta come with the changes if they are asked for.
  const keys = columns.map(({ name }) => name).filter((name) => name.startsWith('meta.'));
  const include = keys.length === 0 ? [] : [`include=${keys.map(encodeURIComponent).join(',')}`];
  const { httpFetch } = await import('./http-fetch.ts');
  const { createAsk, keyHeaders } = await import('../client/ask.ts');
  const key = keyOf(flags, environment);
  return {
    url,
    query: [...include, rest].filter((part) => part !== '').join('&'),
    sort,
    columns,
    ask: createAsk({ url, key, fetch: httpFetch }),
    fetch: (target, request) =>
      httpFetch(target, {
        ...request,
        headers: { ...(request.headers as Record<string, string>), ...keyHeaders(key) },
      }),
  };
}

/** Throws an Error of one line for what no patience mends: wrong parameters, a wrong key, a service that is away. */
async function refuseAtOnce({ url, query, ask }: Watched): Promise<void> {
  const { takeParameter } = await import('../terminal/parameters.ts');
  const path = `/servers?${[takeParameter(query, 'include').rest, 'limit=1'].filter((part) => part !== '').join('&')}`;
  const answer = await ask({ method: 'GET', path });
  const { status } = answer;
  if ((status === 200 && Array.isArray(answer.body['servers'])) || status === 429 || status >= 500) return;
  const { whyNot } = await import('./asked-service.ts');
  throw whyNot(url, answer);
}
