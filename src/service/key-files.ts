/** The files of keys while the service runs: what is read from each, and what it is for. Opens no other files. */

import { readAdminKeys, readAuthKeys, readTokenSecrets, requireDistinct } from './config/access-keys.ts';
import type { Config } from './config/config.ts';
import type { ReadFile } from './config/option-files.ts';
import type { Guard } from '../api/http/auth.ts';
import type { Logger } from '../runtime/log/logger.ts';
import type { Clock } from '../registry/registry.ts';
import { ReloadedFile } from './reloaded-file.ts';

export interface KeyFilesOptions {
  readonly config: Config;
  /** Gets the keys of files that have changed. */
  readonly guard: Guard;
  /** Gets the secrets of server tokens, when their file has changed. */
  readonly replaceTokenSecrets: (secrets: readonly string[]) => void;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'every'>;
}

/**
 * Opens the files of --key-file, --admin-key-file and --token-secret-file that are given. A key that would be in both
 * of the first two is refused in either.
 */
export function openKeyFiles({
  config,
  guard,
  replaceTokenSecrets,
  ...shared
}: KeyFilesOptions): ReloadedFile[] {
  let { authKeys, adminKeys } = config;
  const open = (
    what: string,
    path: string | undefined,
    values: readonly string[],
    read: (readFile: ReadFile) => readonly string[],
    replace: (values: readonly string[]) => void,
  ): ReloadedFile[] =>
    path === undefined ? [] : [new ReloadedFile({ what, path, values, read, replace, ...shared })];
  return [
    ...open(
      'key file',
      config.keyFile,
      authKeys,
      (readFile) => {
        const keys = readAuthKeys(config, readFile);
        requireDistinct(keys, adminKeys);
        return keys;
      },
      (keys) => guard.replaceAuthKeys((authKeys = keys)),
    ),
    ...open(
      'admin key file',
      config.adminKeyFile,
      adminKeys,
      (readFile) => {
        const keys = readAdminKeys(config, readFile);
        requireDistinct(authKeys, keys);
        return keys;
      },
      (keys) => guard.replaceAdminKeys((adminKeys = keys)),
    ),
    ...open(
      'token secret file',
      config.tokenSecretFile,
      config.tokenSecrets,
      (readFile) => readTokenSecrets(config, readFile),
      replaceTokenSecrets,
    ),
  ];
}
