/** The commands of a built version and the flags of each, as its own help tells them. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Table } from './tables.ts';

/** Each command and each flag of one, such as `ban add --reason`, with the value that the flag takes. */
export async function commandsOf(folder: string): Promise<Table> {
  return new Map(await rowsOf(folder, []));
}

async function rowsOf(folder: string, command: readonly string[]): Promise<[string, string][]> {
  const args = [join(folder, 'dist/cli.js'), ...command, '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)((?: [<[][^\s\]>]+[\]>])?)/gm)];
  const [, commands = ''] = /^Commands:\n((?: .*\n)+)/m.exec(stdout) ?? [];
  const names = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!);
  const inner = names.filter((name) => !['help', 'options'].includes(name));
  return [
    ...flags.map(([, flag, value]): [string, string] => [[...command, flag].join(' '), value!.trim()]),
    ...inner.map((name): [string, string] => [[...command, name].join(' '), '']),
    ...(await Promise.all(inner.map((name) => rowsOf(folder, [...command, name])))).flat(),
  ];
}
