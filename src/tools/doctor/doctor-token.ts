/** Finds the Server-Token of a game server on this machine: in a named file, or where `gsls announce` keeps it. */

import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../../runtime/usage-error.ts';
import { createTokenFile, tokenFolderOf } from '../announce/token-file.ts';
import type { CheckHere } from './doctor-here.ts';

export interface FoundToken {
  readonly token: string | undefined;
  readonly check?: CheckHere;
}

const MOST_TOKEN_BYTES = 4096;
const OTHERS_MAY_READ = 0o077;
/** The form of a token: its id, a dot and 43 characters. */
const TOKEN = /^[!-~]{1,64}\.[\w-]{43}$/;
const code = 'token_file';

/** The hosts by which `gsls announce` may ask a game server beside it; '' where it asks none. */
const HOSTS_HERE = ['', '127.0.0.1', 'localhost', '::1'];

/**
 * The token that `gsls announce` keeps for a game server with one of these hosts, or beside it, and this port; none if
 * its folder has none.
 */
export function findToken(
  url: string,
  hosts: readonly string[],
  port: number,
  environment: Readonly<NodeJS.Dict<string>>,
  isWindows: boolean,
): FoundToken {
  const folder = tokenFolderOf(environment, isWindows);
  if (folder === undefined) return { token: undefined };
  for (const host of [...hosts, ...HOSTS_HERE]) {
    const file = createTokenFile(folder, url, `${host}:${port}`, isWindows);
    const { token, problem } = file.read();
    if (token === undefined || !TOKEN.test(token)) continue;
    return problem === undefined
      ? { token, check: { code, result: 'fine', says: `gsls announce keeps its token in ${file.path}` } }
      : { token, check: { code, result: 'wrong', says: problem } };
  }
  return { token: undefined };
}

/** Reads the first line, where game servers keep the token. Throws a UsageError for a file that cannot be read. */
export function readToken(path: string, isWindows: boolean): FoundToken {
  try {
    const { size, mode } = statSync(path);
    const token = size > MOST_TOKEN_BYTES ? '' : readFileSync(path, 'latin1').split('\n')[0]!.trim();
    if (!TOKEN.test(token))
      return { token: undefined, check: { code, result: 'wrong', says: `${path} holds no Server-Token` } };
    const isOpen = !isWindows && (mode & OTHERS_MAY_READ) !== 0;
    const says = `other users may read ${path}: make it 0600`;
    return isOpen ? { token, check: { code, result: 'wrong', says } } : { token };
  } catch (error) {
    throw new UsageError(
      `the token file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`,
    );
  }
}
