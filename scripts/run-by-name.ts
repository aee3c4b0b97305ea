/** Runs one of several programs by its name: what `npm run bench` and `npm run generate` share. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WRONG_USAGE = 2;

export interface NamedPrograms {
  /** What calls them. */
  readonly command: string;
  /** One sentence about each, by name. */
  readonly sentences: Readonly<Record<string, string>>;
  /** Where the program of a name is. */
  readonly fileOf: (name: string) => URL;
}

/**
 * Builds what has changed, and runs the program that the first argument names, in this process, as if it had been
 * started with the other arguments. Without a name, and with --help, prints all names.
 */
export async function runByName({ command, sentences, fileOf }: NamedPrograms): Promise<void> {
  const name = process.argv[2] ?? '--help';
  if (name === '--help') {
    process.stdout.write(`${command} -- <name> [options]\n${helpOf(sentences)}`);
    return;
  }
  if (!Object.hasOwn(sentences, name)) {
    process.stderr.write(`${command} has no ${name}, but ${Object.keys(sentences).join(', ')}\n`);
    process.exitCode = WRONG_USAGE;
    return;
  }
  build();
  process.argv.splice(1, 2, fileURLToPath(fileOf(name)));
  await import(fileOf(name).href);
}

function build(): void {
  const script = fileURLToPath(new URL('build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function helpOf(sentences: NamedPrograms['sentences']): string {
  const width = Math.max(...Object.keys(sentences).map((name) => name.length));
  return Object.entries(sentences)
    .map(([name, sentence]) => `  ${name.padEnd(width)}  ${sentence}\n`)
    .join('');
}
