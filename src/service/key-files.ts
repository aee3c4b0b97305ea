/** The files of keys while the service runs: what is read from each, and what it is for. Opens no other files. */

import { readAdminKeys, readAuthKeys, readTokenSecrets, requireDistinct } from '../config/access-keys.ts';
import type { Config } from '../config/config.ts';
import type { Guard } from '../http/auth.ts';
import type { Logger } from '../log/logger.ts';
import type { Clock } from '../registry/registry.ts';
import { ReloadedFile } from './reloaded-file.ts';

export interface KeyFilesOptions {
  readonly config: Config;
  /** Gets the keys of files that have changed. */
  readonly guard: Guard;
  /** Gets the secrets of server tokens, likewise. */
  readonly replaceTokenSecrets: (secrets: readonly string[]) => void;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'every'>;
}

/**
 * Those of --key-file, --admin-key-file and --token-secret-file that are given. A key that would be in both is refused
 * in either.
 */
export function openKeyFiles({
  config,
  guard,
  replaceTokenSecrets,
  ...shared
}: KeyFilesOptions): ReloadedFile[] {
  let { authKeys, adminKeys } = config;
  const files: ReloadedFile[] = [];
  if (config.keyFile !== undefined)
    files.push(
      new ReloadedFile({
        what: 'key file',
        path: config.keyFile,
        values: authKeys,
        read(readFile) {
          const keys = readAuthKeys(config, readFile);
          requireDistinct(keys, adminKeys);
          return keys;
        },
        replace(keys) {
          authKeys = keys;
          guard.replaceAuthKeys(keys);
        },
        ...shared,
      }),
    );
  if (config.adminKeyFile !== undefined)
    files.push(
      new ReloadedFile({
        what: 'admin key file',
        path: config.adminKeyFile,
        values: adminKeys,
        read(readFile) {
          const keys = readAdminKeys(config, readFile);
          requireDistinct(authKeys, keys);
          return keys;
        },
        replace(keys) {
          adminKeys = keys;
          guard.replaceAdminKeys(keys);
        },
        ...shared,
      }),
    );
  if (config.tokenSecretFile !== undefined)
    files.push(
      new ReloadedFile({
        what: 'token secret file',
        path: config.tokenSecretFile,
        values: config.tokenSecrets,
        read: (readFile) => readTokenSecrets(config, readFile),
        replace: replaceTokenSecrets,
        ...shared,
      }),
    );
  return files;
}
