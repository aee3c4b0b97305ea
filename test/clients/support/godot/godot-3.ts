/**
 * Runs the rules of the addon for Godot 4 with Godot 3, which Debian has: the language is nearly the same, and what
 * they need has another name there.
 */

import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDocument } from '../../../support/markdown.ts';

export interface GivenTurn {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** From 0 to 1. */
  readonly chance: number;
}

export interface Given {
  readonly token: string;
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly turns: readonly GivenTurn[];
}

/** What was sent, and what the answer to it came to. */
export interface TakenTurn {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly pause: number;
  readonly id: string;
  readonly problem: string;
  readonly verification: string;
  readonly measures: boolean;
  /** What the answer has if it is one to `GET /beacons`. */
  readonly beacons: readonly (readonly string[])[];
  readonly removal: Readonly<Record<string, unknown>> | null;
}

const ADDON = 'clients/godot/addons/gsls';
const MOST_BYTES = 2 ** 28;

/** What Godot 3 calls otherwise. */
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/\bRefCounted\b/g, 'Reference'],
  [/\bPacked(\w+)Array\b/g, 'Pool$1Array'],
  [/\bArray\[\w+\]/g, 'Array'],
  [/: Variant\b/g, ''],
  [/\b(min|max|clamp|round|floor)[fi]\(/g, '$1('],
  [/^(signal \w+\(\w+): \w+/gm, '$1'],
  [/\b(\w+)\.emit\(/g, "emit_signal('$1', "],
  [/\bTime\.get_ticks_usec\(/g, 'OS.get_ticks_usec('],
  [/\bHTTPClient\.Status\b/g, 'int'],
  [/: TLSOptions$/gm, ' = false'],
  [/, tls_options if is_secure else null\)/g, ', is_secure)'],
  [/\.slice\(1\)/g, '.slice(1, 99)'],
  [/\.is_empty\(/g, '.empty('],
  [/\.is_valid_int\(/g, '.is_valid_integer('],
  [/\bTime\.get_unix_time_from_datetime_dict\(/g, 'OS.get_unix_time_from_datetime('],
  [/\bfor (\w+): \w+ in\b/g, 'for $1 in'],
];

/** Gives these answers to a new announcer in this folder, which does not exist yet. */
export async function runRules(folder: string, given: Given): Promise<TakenTurn[]> {
  const lines = await drive(folder, 'announcer', { 'turns.json': given });
  const turns = lines.filter((line) => line.startsWith('TURN '));
  return turns.map((line) => JSON.parse(line.slice('TURN '.length)) as TakenTurn);
}

/** Measures beacons, each as the rules have it: id, scheme, host, port and path. */
export async function measure(
  folder: string,
  beacons: readonly (readonly string[])[],
): Promise<Record<string, number>> {
  const lines = await drive(folder, 'meter', { 'beacons.json': beacons });
  const found = lines.find((line) => line.startsWith('FOUND '))!;
  return JSON.parse(found.slice('FOUND '.length)) as Record<string, number>;
}

/** The lines that the driver of this script prints. */
async function drive(
  folder: string,
  script: string,
  files: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  let text = readDocument(`${ADDON}/${script}.gd`);
  for (const [name, older] of RENAMED) text = text.replaceAll(name, older);
  const driver = `drive-${script}.gd`;
  await mkdir(folder);
  await Promise.all([
    writeFile(join(folder, 'project.godot'), 'config_version=4\n'),
    writeFile(join(folder, `${script}.gd`), text),
    copyFile(new URL(driver, import.meta.url), join(folder, driver)),
    ...Object.entries(files).map(([name, value]) => writeFile(join(folder, name), JSON.stringify(value))),
  ]);
  const args = ['--no-window', '--path', folder, '-s', driver];
  // It keeps its own files in the home of the user.
  const env = { ...process.env, HOME: folder };
  const { stdout } = await promisify(execFile)('godot3-server', args, { maxBuffer: MOST_BYTES, env });
  return stdout.split('\n');
}
