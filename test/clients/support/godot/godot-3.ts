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

const RULES = 'clients/godot/addons/gsls/announcer.gd';
const DRIVER = new URL('drive-announcer.gd', import.meta.url);
const MOST_BYTES = 2 ** 28;

/** What Godot 3 calls otherwise. */
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/\bRefCounted\b/g, 'Reference'],
  [/\bPacked(\w+)Array\b/g, 'Pool$1Array'],
  [/\bArray\[\w+\]/g, 'Array'],
  [/: Variant\b/g, ''],
  [/\b(min|max|clamp)[fi]\(/g, '$1('],
  [/\.is_empty\(/g, '.empty('],
  [/\.is_valid_int\(/g, '.is_valid_integer('],
  [/\bTime\.get_unix_time_from_datetime_dict\(/g, 'OS.get_unix_time_from_datetime('],
  [/\bfor (\w+): \w+ in\b/g, 'for $1 in'],
];

/** Gives these answers to a new announcer in this folder, which does not exist yet. */
export async function runRules(folder: string, given: Given): Promise<TakenTurn[]> {
  let rules = readDocument(RULES);
  for (const [name, older] of RENAMED) rules = rules.replaceAll(name, older);
  await mkdir(folder);
  await Promise.all([
    writeFile(join(folder, 'project.godot'), 'config_version=4\n'),
    writeFile(join(folder, 'announcer.gd'), rules),
    writeFile(join(folder, 'turns.json'), JSON.stringify(given)),
    copyFile(DRIVER, join(folder, 'drive-announcer.gd')),
  ]);
  const args = ['--no-window', '--path', folder, '-s', 'drive-announcer.gd'];
  // It keeps its own files in the home of the user.
  const env = { ...process.env, HOME: folder };
  const { stdout } = await promisify(execFile)('godot3-server', args, { maxBuffer: MOST_BYTES, env });
  const lines = stdout.split('\n').filter((line) => line.startsWith('TURN '));
  return lines.map((line) => JSON.parse(line.slice('TURN '.length)) as TakenTurn);
}
