/**
 * The keys and secrets of the options: of ordinary requests, of the admin, and of server tokens. All can be read again
 * while the service runs. Throws UsageErrors of one line that repeat no key.
 */

import type { ACCESS_OPTIONS } from './access-options.ts';
import { readLines, type ReadFile } from './option-files.ts';
import { parseTokenSecret } from './option-parsers.ts';
import type { ValuesOf } from './option.ts';
import { UsageError } from '../../runtime/usage-error.ts';

type Options<Name extends keyof typeof ACCESS_OPTIONS> = Pick<ValuesOf<typeof ACCESS_OPTIONS>, Name>;

/** Reads the keys of --key and --key-file together. */
export function readAuthKeys(
  { key, keyFile }: Options<'key' | 'keyFile'>,
  readFile: ReadFile,
): readonly string[] {
  if (keyFile === undefined) return key;
  return [...key, ...readLines('key file', keyFile, readFile, 'every client would be let in')];
}

/** Reads the keys of --admin-key and --admin-key-file together. */
export function readAdminKeys(
  { adminKey, adminKeyFile }: Options<'adminKey' | 'adminKeyFile'>,
  readFile: ReadFile,
): readonly string[] {
  if (adminKeyFile === undefined) return adminKey;
  return [...adminKey, ...readLines('admin key file', adminKeyFile, readFile, 'there would be no admin')];
}

/** Reads the secrets of --token-secret and --token-secret-file together, in this order. */
export function readTokenSecrets(
  { tokenSecret, tokenSecretFile }: Options<'tokenSecret' | 'tokenSecretFile'>,
  readFile: ReadFile,
): readonly string[] {
  if (tokenSecretFile === undefined) return tokenSecret;
  const without = 'no token could be made';
  return [
    ...tokenSecret,
    ...readLines('token secret file', tokenSecretFile, readFile, without, parseTokenSecret),
  ];
}

/** Throws a UsageError if a key is an ordinary one and the admin's. */
export function requireDistinct(authKeys: readonly string[], adminKeys: readonly string[]): void {
  if (adminKeys.some((key) => authKeys.includes(key)))
    throw new UsageError(
      'an admin key is one of the keys of --key and --key-file too, so every game server could moderate: give the admin a key of its own',
    );
}
