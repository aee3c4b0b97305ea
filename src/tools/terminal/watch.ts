/** `gsls watch`: prints a line for each change in what a service lists. */

import type { Ask } from '../../../clients/typescript/src/ask.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { ClientCommand, CommandContext } from '../client-command.ts';
import { createCommand } from '../../service/commands/create-command.ts';

const EXAMPLES = `
Parameters are the filters of GET /servers, as words or as one query string:
region=eu, players=1.., q=frankfurt, full=false. The list itself is shown by
gsls list, and followed at /browse of the service.

A line begins with its time and a sign: = for the list at the start, + for a
server that came, - for one that left, ~ for one that changed, and ! where the
service is away.

Examples:
  gsls watch http://localhost:53600
  gsls watch https://list.example.com region=eu full=false
  gsls watch https://list.example.com | grep ' + '
  gsls watch https://list.example.com --json > changes.jsonl
  gsls watch https://eu.example.com https://us.example.com
`;

interface WatchFlags {
  readonly json?: true;
  readonly key?: string;
}

type Run = typeof follow;

/** Its words and its exit code are those of a ClientCommand. `run`: what it does once its words are understood. */
export const createWatchCommand =
  (run: Run): ClientCommand =>
  async (args, context) => {
    const command = createCommand('gsls watch', 'print a line for each change in what a service lists')
      .argument('<url>', 'of the service')
      .argument('[parameters...]', 'such as region=eu, and further URLs')
      .option('--json', 'a JSON object a line, with servers as the API tells them')
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
  { environment, stdout }: CommandContext,
): Promise<void> {
  const { keepHeapSmall } = await import('../small-heap.ts');
  keepHeapSmall();
  const { keyOf, takeServiceUrls } = await import('../asked-service.ts');
  const { urls: hrefs, rest } = takeServiceUrls([urlText, ...words]);
  const urls = hrefs.map((href) => href.replace(/\/$/, ''));
  const query = await filtersOf(rest);
  const { httpFetch } = await import('../../runtime/http-fetch.ts');
  const { createAsk, keyHeaders } = await import('../../../clients/typescript/src/ask.ts');
  const key = keyOf(flags, environment);
  const refusals: unknown[] = [];
  for (const url of urls) {
    const refusal = await refuseAtOnce(url, query, createAsk({ url, key, fetch: httpFetch })).catch(
      (error: unknown) => error,
    );
    if (refusal === undefined) break;
    refusals.push(refusal);
  }
  if (refusals.length === urls.length) throw refusals[0];
  const { printLines } = await import('./watch-lines.ts');
  const fetch: typeof httpFetch = (target, request) =>
    httpFetch(target, {
      ...request,
      headers: { ...(request.headers as Record<string, string>), ...keyHeaders(key) },
    });
  await printLines({ urls, query, fetch, isJson: flags.json === true }, stdout);
}

async function filtersOf(words: readonly string[]): Promise<string> {
  const { parseParameterWords } = await import('../asked-service.ts');
  const { takeParameter } = await import('./parameters.ts');
  const query = parseParameterWords(words);
  for (const name of ['limit', 'cursor', 'sort'])
    if (takeParameter(query, name).value !== undefined)
      throw new UsageError(`${name} is for gsls list: gsls watch follows all that match`);
  return query;
}

/** Throws an Error of one line for what no patience mends: wrong parameters, a wrong key, a service that is away. */
async function refuseAtOnce(url: string, query: string, ask: Ask): Promise<void> {
  const { takeParameter } = await import('./parameters.ts');
  const path = `/servers?${[takeParameter(query, 'include').rest, 'limit=1'].filter((part) => part !== '').join('&')}`;
  const answer = await ask({ method: 'GET', path });
  const { status } = answer;
  if ((status === 200 && Array.isArray(answer.body['servers'])) || status === 429 || status >= 500) return;
  const { whyNot } = await import('../asked-service.ts');
  throw whyNot(url, answer);
}
