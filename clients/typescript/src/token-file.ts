/**
 * The token of one game server at one service, in a file that only its user can read: with it the game server keeps
 * its id through restarts. A file that cannot be used is no reason to stay away. It knows nothing of what a token
 * means, and is given the file system: browsers have none.
 */

export interface TokenFile {
  readonly path: string;
  /** Undefined without a token that could be one. `problem`: what is wrong with the file, in sentences. */
  read(): { readonly token: string | undefined; readonly problem: string | undefined };
  /** Keeps the token. Returns sentences on why that failed, or undefined. */
  write(token: string): string | undefined;
}

export interface TokenFileOptions {
  readonly path: string;
  readonly fs: FileSystem;
  /** The folder of the file, which is created if it is missing; undefined: it is there. */
  readonly folder?: string;
  /** Whether modes of files mean nothing, as on Windows. */
  readonly isWindows?: boolean;
}

/** The functions of `node:fs` that are used here. */
export interface FileSystem {
  mkdirSync(path: string, options: { readonly recursive: true; readonly mode: number }): unknown;
  openSync(path: string, flags: string, mode: number): number;
  writeSync(file: number, text: string): unknown;
  closeSync(file: number): void;
  readFileSync(path: string, encoding: 'latin1' | 'utf8'): string;
  renameSync(from: string, to: string): void;
  rmSync(path: string, options: { readonly force: true }): void;
  statSync(path: string): { readonly size: number; readonly mode: number; isFile(): boolean };
}

/** A token that a header can carry. */
const TOKEN = /^[!-~]{1,256}$/;
const MOST_BYTES = 4096;
const OTHERS_MAY_READ = 0o077;
const NEW_ID = 'The broadcast claims a new id.';

/** The files of Node; undefined elsewhere. Without an import: bundlers for browsers stumble over those of Node. */
export function filesHere(): FileSystem | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: 'node:fs') => FileSystem };
  };
  return process?.getBuiltinModule?.('node:fs');
}

/** Whoever reads the file finds the old text or the new one, whole; and nobody but its user reads it at any time. */
export function replaceFile(fs: FileSystem, path: string, text: string): void {
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    const file = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeSync(file, text);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temporary, path);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

export function openTokenFile({ path, fs, folder, isWindows = false }: TokenFileOptions): TokenFile {
  return {
    path,
    read() {
      try {
        const stats = fs.statSync(path);
        // A pipe would never end.
        const isText = stats.isFile() && stats.size <= MOST_BYTES;
        const token = isText ? fs.readFileSync(path, 'latin1').trim() : '';
        if (!TOKEN.test(token))
          return { token: undefined, problem: `The token file ${path} holds no token. ${NEW_ID}` };
        const isOpen = !isWindows && (stats.mode & OTHERS_MAY_READ) !== 0;
        return {
          token,
          problem: isOpen ? `Other users may read the token file ${path}. Give it the mode 0600.` : undefined,
        };
      } catch (error) {
        const code = codeOf(error);
        return {
          token: undefined,
          problem:
            code === 'ENOENT' ? undefined : `The token file ${path} cannot be read: ${code}. ${NEW_ID}`,
        };
      }
    },
    write(token) {
      try {
        if (folder !== undefined) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        replaceFile(fs, path, `${token}\n`);
        return undefined;
      } catch (error) {
        return `The token file ${path} cannot be written: ${codeOf(error)}. The next start gets another id.`;
      }
    },
  };
}

/** The code of a failure of the system, or its message. */
export function codeOf(error: unknown): string {
  const { code, message } = error as Error & { readonly code?: string };
  return code ?? message;
}
