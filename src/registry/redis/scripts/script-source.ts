/** The Lua scripts as text: read from lua/, with their includes. Knows neither a client nor what the scripts do. */

import { readFileSync } from 'node:fs';

/** How many keys each script takes: the shared ones and, if it is about one entry, its record. Undefined for any number. */
export const SCRIPTS = {
  broadcast: undefined,
  ping: undefined,
  remove: 10,
  changes: 9,
  restore: 9,
  'declare-whole': 9,
  mend: 9,
  reset: 9,
  settings: 9,
  moderate: 9,
  recount: 9,
  'note-reachability': 10,
  history: 10,
} as const;
export type ScriptName = keyof typeof SCRIPTS;

/** lua/<name>.lua after the prelude, each line `--#include a b` replaced by lua/lib/a.lua and lua/lib/b.lua. */
export function readScript(name: ScriptName, prelude: string): string {
  const includes = (_line: string, parts: string): string =>
    parts
      .split(' ')
      .map((part) => readLua(`lib/${part}`))
      .join('\n');
  return prelude + readLua(name).replaceAll(/^--#include (.*)$/gm, includes);
}

function readLua(file: string): string {
  return readFileSync(new URL(`../lua/${file}.lua`, import.meta.url), 'utf8');
}
