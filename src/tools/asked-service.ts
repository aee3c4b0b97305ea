/** The service that a command asks: its address and key as words, and in one line why it does not do as it is asked. */

import type { ServiceAnswer } from '../../clients/typescript/src/ask.ts';
import { UsageError } from '../runtime/usage-error.ts';
import { printable } from '../model/printable.ts';
import { queryOfWords } from './terminal/parameters.ts';

const isUrl = (word: string): boolean => /^https?:\/\//i.test(word);

/** Throws a UsageError, which does not repeat the text: it may hold a password. */
export function parseServiceUrl(text: string): URL {
  if (!isUrl(text) || !URL.canParse(text))
    throw new UsageError(
      'the URL must be the address of a service, like https://list.example.com or http://localhost:53600',
    );
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('the URL must have no user and no password: the key is in GSLS_KEY or --key');
  if (url.search !== '' || url.hash !== '')
    throw new UsageError('the URL must end before its query: write the parameters as words behind it');
  return url;
}

/** The addresses of one service or of several with one list, and the words that are none. */
export function takeServiceUrls(words: readonly string[]): {
  readonly urls: readonly [string, ...string[]];
  readonly rest: readonly string[];
} {
  const [first = '', ...others] = words.filter(isUrl);
  return {
    urls: [parseServiceUrl(first).href, ...others.map((text) => parseServiceUrl(text).href)],
    rest: words.filter((word) => !isUrl(word)),
  };
}

/** The words behind the URL as a raw query string. Throws a UsageError for a word that is no parameter. */
export function parseParameterWords(words: readonly string[]): string {
  try {
    return queryOfWords(words);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** An empty one counts as none. */
export function keyOf(
  { key }: { readonly key?: string },
  environment: Readonly<NodeJS.Dict<string>>,
): string | undefined {
  return (key ?? environment['GSLS_KEY']) || undefined;
}

/** An Error of one line for an answer that is no success. */
export function whyNot(url: string, { status, reason, code }: ServiceAnswer): Error {
  // The status stands before the words.
  const words = printable(reason).replace(` (${status})`, '');
  if (status === 0) return new Error(`${url} does not answer: ${words}`);
  if (code === 'unauthorized') return new Error(`${url} asks for a key: set GSLS_KEY, or give --key`);
  return new Error(`${url} answers ${status}: ${words}`);
}
