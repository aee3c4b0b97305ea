/**
 * The requests of a document, sent to a service of the test instead of the one they name: it has such a path, and finds
 * nothing wrong with fields and parameters. Runs no curl.
 */

import { ask } from './ask.ts';

/** What answers on port 53600, and what on port 53601. */
export interface Services {
  readonly service: { readonly url: string };
  readonly ops: { readonly url: string };
}

const WITH_VALUE: readonly string[] = '-D -H -X -d -o -u -w --retry --retry-delay'.split(' ');
const ALONE = /^(-[INis]+|--compressed|--retry-connrefused)$/;

/** A request of curl. Rejects with an Error of one line. */
export async function checkCurl(args: readonly string[], services: Services): Promise<void> {
  const values: Record<string, string[]> = {};
  const urls: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!;
    if (WITH_VALUE.includes(arg)) (values[arg] ??= []).push(args[(index += 1)]!);
    else if (!arg.startsWith('-')) urls.push(arg);
    else if (!ALONE.test(arg)) throw new Error(`curl ${arg} is nothing that the test knows`);
  }
  // An option alone, in a sentence.
  if (urls.length === 0) return;
  const target = targetOf(urls.join(' '), services);
  if (target === undefined) throw new Error(`${urls.join(' ')} is no address of the service`);
  const [body] = values['-d'] ?? [];
  const [method] = values['-X'] ?? [body === undefined ? 'GET' : 'POST'];
  // Not for a stream, which has no end.
  const headers = (values['-H'] ?? []).filter((header) => !header.startsWith('Accept:'));
  const answer = await ask(target.service, `${method} ${target.path}`, {
    headers: Object.fromEntries(headers.map((header) => header.split(/: (.*)/s).slice(0, 2))),
    ...(body !== undefined && { body }),
  });
  if ([400, 401, 405, 415].includes(answer.status) || isNowhere(answer))
    throw new Error(`${method} ${target.path} gets ${answer.status} ${answer.body.error}`);
}

/** A word that may be a URL of the service. Rejects with an Error of one line. */
export async function checkUrl(word: string, services: Services): Promise<void> {
  const target = targetOf(word, services);
  if (target === undefined) return;
  if (isNowhere(await ask(target.service, `GET ${target.path}`)))
    throw new Error(`${word} is no path of the service`);
}

interface Target {
  readonly service: { readonly url: string };
  readonly path: string;
}

/** What a URL leads to, if it is one of the service. */
function targetOf(word: string, { service, ops }: Services): Target | undefined {
  const match = /^(?:https?:\/\/)?(?:localhost|10\.0\.0\.\d+):(5360[01])(\/.*)?$/.exec(word);
  if (match === null) return undefined;
  const [, port, path] = match;
  return port === '53600' ? { service, path: path ?? '/' } : { service: ops, path: path ?? '/livez' };
}

/** Whether there is no such path: an entry that is not listed gets 404 too. */
function isNowhere({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status === 404 && text.includes('"not_found"');
}
