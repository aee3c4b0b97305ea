/** Keeps the token of a game server at a service in a file, one for each pair of them. */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openTokenFile, type TokenFile } from '../../../clients/typescript/src/token-file.ts';

/** The most letters of the names that stand in the name of a file. */
const MOST_LETTERS = 60;

/** `identity`: that of the game server. `isWindows`: modes of files mean nothing there. */
export function createTokenFile(folder: string, url: string, identity: string, isWindows = false): TokenFile {
  return openTokenFile({ path: join(folder, nameOf(url, identity)), fs, folder, isWindows });
}

/** The folder of the tokens by default. Undefined where the user has no folder: tokens are then not kept. */
export function tokenFolderOf(
  environment: Readonly<NodeJS.Dict<string>>,
  isWindows: boolean,
): string | undefined {
  const { LOCALAPPDATA, XDG_STATE_HOME } = environment;
  if (isWindows) return LOCALAPPDATA ? join(LOCALAPPDATA, 'gsls') : undefined;
  // The XDG Base Directory Specification: a path that is not absolute is to be ignored.
  if (XDG_STATE_HOME?.startsWith('/')) return join(XDG_STATE_HOME, 'gsls');
  const home = environment['HOME'] || homedir();
  return home.startsWith('/') && home !== '/' ? join(home, '.local', 'state', 'gsls') : undefined;
}

/** The name of the file. A person finds it by its beginning; the hash keeps it apart from all others. */
function nameOf(url: string, identity: string): string {
  const { href, host, pathname } = new URL(url.replace(/\/+$/, ''));
  const path = pathname === '/' ? '' : pathname;
  const readable = `${host}${path}_${identity}`.replaceAll(/[^\w.-]+/g, '_').slice(0, MOST_LETTERS);
  const hash = createHash('sha256').update(JSON.stringify([href, identity]));
  return `${readable}-${hash.digest('hex').slice(0, 16)}.token`;
}
