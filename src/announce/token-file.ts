/**
 * The token of one game server at one service, in a file that only its user can read: with it the game server keeps its
 * id through restarts. A file that cannot be used is no reason to stay away. It knows nothing of what a token means.
 */

import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export interface TokenFile {
  readonly path: string;
  /** Undefined without a token that could be one; `problem` then says why, if there is a file. */
  read(): { readonly token: string | undefined; readonly problem: string | undefined };
  /** Undefined: the token that it has is not valid any more. Returns why it could not be kept, or undefined. */
  write(token: string | undefined): string | undefined;
}

/** What a header can carry. */
const TOKEN = /^[!-~]{1,256}$/;
const MOST_BYTES = 4096;
/** Of the names in the name of a file. */
const MOST_LETTERS = 60;
const OTHERS_MAY_READ = 0o077;

/** `identity`: of the game server. `isWindows`: modes of files mean nothing there. */
export function createTokenFile(folder: string, url: string, identity: string, isWindows = false): TokenFile {
  const path = join(folder, nameOf(url, identity));
  return {
    path,
    read() {
      try {
        const { size, mode } = statSync(path);
        const token = size > MOST_BYTES ? '' : readFileSync(path, 'latin1').trim();
        if (!TOKEN.test(token)) return { token: undefined, problem: `${path} holds no token` };
        const isOpen = !isWindows && (mode & OTHERS_MAY_READ) !== 0;
        return { token, problem: isOpen ? `other users may read ${path}: make it 0600` : undefined };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return {
          token: undefined,
          problem: code === 'ENOENT' ? undefined : `${path} cannot be read: ${code}`,
        };
      }
    },
    write(token) {
      try {
        if (token === undefined) rmSync(path, { force: true });
        else replace(path, folder, token);
        return undefined;
      } catch (error) {
        return `${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`;
      }
    },
  };
}

/** Whoever reads it finds the old token or the new one, whole; and nobody else than its user reads it at any time. */
function replace(path: string, folder: string, token: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, `${token}\n`);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A person finds it by its beginning; what tells it from all others is the hash. */
function nameOf(url: string, identity: string): string {
  const { href, host, pathname } = new URL(url.replace(/\/+$/, ''));
  const path = pathname === '/' ? '' : pathname;
  const readable = `${host}${path}_${identity}`.replaceAll(/[^\w.-]+/g, '_').slice(0, MOST_LETTERS);
  const hash = createHash('sha256').update(JSON.stringify([href, identity]));
  return `${readable}-${hash.digest('hex').slice(0, 16)}.token`;
}
