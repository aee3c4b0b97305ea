/** The Lua scripts as text: read from lua/, with what they include and take. */

import { readFileSync } from 'node:fs';
import { luaArguments, luaRow, type ScriptName } from './script-contract.ts';

/**
 * lua/<name>.lua after the prelude. Three kinds of lines are replaced: `--#include a b` by lua/lib/a.lua and
 * lua/lib/b.lua, `--#arguments` by the arguments of the script as locals, `--#take row` by those of the next row.
 */
export function readScript(name: ScriptName, prelude: string): string {
  const included = readLua(name).replaceAll(/^--#include (.*)$/gm, (_line, parts: string) =>
    parts
      .split(' ')
      .map((part) => readLua(`lib/${part}`))
      .join('\n'),
  );
  const lua = included
    .replace(/^--#arguments$/m, luaArguments(name))
    .replaceAll(/^( *)--#take (\w+)$/gm, (_line, indent: string, row: string) => indent + luaRow(row));
  return prelude + lua;
}

function readLua(file: string): string {
  return readFileSync(new URL(`../lua/${file}.lua`, import.meta.url), 'utf8');
}
