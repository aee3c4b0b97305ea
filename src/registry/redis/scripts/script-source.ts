/** Reads the Lua scripts from lua/, and replaces their includes, arguments and constants. */

import { readFileSync } from 'node:fs';
import type { Constants } from './script-constants.ts';
import { luaBeginning, luaRead, luaRow, SCRIPTS, type ScriptName } from './script-contract.ts';

/**
 * Returns lua/<name>.lua without comments, with the values of constants in place of their names. These lines are
 * replaced: `--#include a b` by lua/lib/a.lua and lua/lib/b.lua, `--#begin` by the arguments of the script as locals
 * and the check of its deadline, `--#take row` by the arguments of the next row, `--#read list: a b` by the fields a
 * and b of the record at `key`.
 */
export function readScript(name: ScriptName, constants: Constants): string {
  const lua = sources.get(name) ?? readSource(name);
  sources.set(name, lua);
  // Lua strings stay as they are, whatever they contain.
  return lua.replaceAll(/'[^'\n]*'|--.*$|\b[A-Z][A-Z_]+\b/gm, (part) =>
    part.startsWith('--') ? '' : (constants.get(part) ?? part),
  );
}

/** The commands of Redis that scripts call, each once. */
export function calledCommands(): readonly string[] {
  const lua = (Object.keys(SCRIPTS) as ScriptName[]).map((name) => readScript(name, new Map())).join('\n');
  return [...new Set([...lua.matchAll(/\b(?:p?call|try)\('([A-Z]+)'/g)].map(([, command]) => command!))];
}

/** The sources read so far: several registries of one process read each once. */
const sources = new Map<ScriptName, string>();

function readSource(name: ScriptName): string {
  const included = readLua(name).replaceAll(/^--#include (.*)$/gm, (_line, parts: string) =>
    parts
      .split(' ')
      .map((part) => readLua(`lib/${part}`))
      .join('\n'),
  );
  return included
    .replace(/^--#begin$/m, luaBeginning(name, included.includes('--#take')))
    .replaceAll(/^( *)--#take (\w+)$/gm, (_line, indent: string, row: string) => indent + luaRow(row))
    .replaceAll(
      /^( *)--#read (\w+): (.*)$/gm,
      (_line, indent: string, list: string, fields: string) => indent + luaRead(list, fields.split(' ')),
    );
}

function readLua(file: string): string {
  return readFileSync(new URL(`../lua/${file}.lua`, import.meta.url), 'utf8');
}
