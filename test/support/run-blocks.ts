/** The blocks of a document, run in turn by one bash, as its reader runs them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Commands } from './markdown.ts';
import { PROGRAM } from './program.ts';

/** Ends what a block prints. */
const MARK = '\f';

interface Place {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A terminal of 100 columns, which shows what programs print beside their output, too. */
  readonly inTerminal?: boolean;
}

/** Writes `gsls`, which starts the program as it is here, into a new folder, and returns that for a PATH. */
export function writeGsls(folder: string): string {
  const words = [process.execPath, ...PROGRAM].map((word) => `'${word}'`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'gsls'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
  return folder;
}

/**
 * Resolves with what each block printed. Rejects if a command fails, or says something on standard error. A request
 * of curl that is refused has failed, unless the document shows the answer.
 */
export async function runBlocks(
  blocks: readonly Commands[],
  { cwd, environment, inTerminal = false }: Place,
): Promise<string[]> {
  // One shell for all, as variables and processes in the background stay from block to block.
  const script = blocks.map(({ script: block, output }) => {
    const options = output === undefined ? '--silent --show-error --fail' : '--silent --show-error';
    return `${block.replaceAll(/\bcurl (?!-)/g, `curl ${options} `)}printf '\\f'`;
  });
  const file = join(cwd, '.blocks.sh');
  writeFileSync(file, `${inTerminal ? 'stty cols 100 -onlcr\n' : ''}${script.join('\n')}\n`);
  const bash = `bash -euo pipefail ${file}`;
  const [program, ...args] = inTerminal
    ? ['script', '--quiet', '--return', '--flush', '--command', bash, '/dev/null']
    : bash.split(' ');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GSLS_'));
  const child = spawn(program!, args, {
    cwd,
    // A bash whose input is a socket takes itself for one started by rshd, unless it is inside of another.
    env: { ...Object.fromEntries(inherited), SHLVL: '1', TERM: 'xterm', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || stderr !== '') throw new Error(`the shell ended with ${code}\n${stdout}\n${stderr}`);
  return stripVTControlCharacters(stdout.replaceAll('\r\n', '\n')).split(MARK).slice(0, -1);
}
