/** The address of a service as a word of a command line. */

import { UsageError } from '../config/option.ts';

/** Throws a UsageError, which does not repeat the text: it may hold a password. */
export function parseServiceUrl(text: string): URL {
  const isNamed = /^https?:\/\//i.test(text);
  if (!isNamed || !URL.canParse(text))
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
