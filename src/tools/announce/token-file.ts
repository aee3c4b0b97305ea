/** Keeps the token of a game server at a service, in a file for each two of them. */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { openTokenFile, type TokenFile } from '../../../clients/typescript/src/token-file.ts';

/** The most letters of the readable part of a file name. */
const MOST_LETTERS = 60;

/** `identity`: of the game server. `isWindows`: modes of files mean nothing there. */
export function createTokenFile(folder: string, url: string, identity: string, isWindows = false): TokenFile {
  return openTokenFile({ path: join(folder, nameOf(url, identity)), fs, folder, isWindows });
}

/** A person finds it by its beginning; what tells it from all others is the hash. */
function nameOf(url: string, identity: string): string {
  const { href, host, pathname } = new URL(url.replace(/\/+$/, ''));
  const path = pathname === '/' ? '' : pathname;
  const readable = `${host}${path}_${identity}`.replaceAll(/[^\w.-]+/g, '_').slice(0, MOST_LETTERS);
  const hash = createHash('sha256').update(JSON.stringify([href, identity]));
  return `${readable}-${hash.digest('hex').slice(0, 16)}.token`;
}
