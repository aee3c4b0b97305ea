/**
 * What the options about keys mean together: the keys of ordinary requests, those of the admin, and the secrets
 * of server tokens. All can be read again while the service runs. Throws UsageErrors of one line that repeat no key.
 */

import { readLines, type ReadFile } from './option-files.ts';
import { parseTokenSecret } from './option-parsers.ts';
import { UsageError } from './option.ts';

export interface KeyOptions {
  readonly key: readonly string[];
  readonly keyFile: string | undefined;
  readonly adminKey: readonly string[];
  readonly adminKeyFile: string | undefined;
}

export interface TokenSecretOptions {
  readonly tokenSecret: readonly string[];
  readonly tokenSecretFile: string | undefined;
}

/** Those of --key and --key-file together. */
export function readAuthKeys({ key, keyFile }: KeyOptions, readFile: ReadFile): readonly string[] {
  if (keyFile === undefined) return key;
  return [...key, ...readLines('key file', keyFile, readFile, 'every client would be let in')];
}

/** Those of --admin-key and --admin-key-file together. */
export function readAdminKeys({ adminKey, adminKeyFile }: KeyOptions, readFile: ReadFile): readonly string[] {
  if (adminKeyFile === undefined) return adminKey;
  return [...adminKey, ...readLines('admin key file', adminKeyFile, readFile, 'there would be no admin')];
}

/** Those of --token-secret and --token-secret-file together, in this order. */
export function readTokenSecrets(
  { tokenSecret, tokenSecretFile }: TokenSecretOptions,
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
