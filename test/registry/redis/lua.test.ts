/** The header of each Lua script against the script and what create-scripts.ts passes; and what an include may do. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { createConstants } from '../../../src/registry/redis/scripts/script-constants.ts';
import {
  argumentNames,
  CODES,
  FORMS,
  NAMED_REPLIES,
  ROWS,
  SCRIPTS,
  TOLD,
  type GroupedName,
  type RowName,
  type ScriptName,
} from '../../../src/registry/redis/scripts/script-contract.ts';
import { readScript } from '../../../src/registry/redis/scripts/script-source.ts';
import { lifetime } from '../../support/registry-fixture.ts';

const DIRECTORY = new URL('../../../src/registry/redis/lua/', import.meta.url);
const SETTINGS = { lifetime, uniqueAddress: false, holdMassExpiry: true, isCluster: false };
const CONSTANTS = createConstants(SETTINGS);

function luaFiles(folder: string): string[] {
  const entries = readdirSync(new URL(folder, DIRECTORY), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name.replace('.lua', ''));
}

function readLua(file: string): string {
  return readFileSync(new URL(`${file}.lua`, DIRECTORY), 'utf8');
}

interface Header {
  /** With their numbers. */
  readonly keys: readonly string[];
  /** In the words of script-contract.ts. */
  readonly args: readonly string[];
  /** The arguments of each row. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly returns: string;
}

/** What the comment a script begins with says. */
function readHeader(name: ScriptName): Header {
  const text = /^(--.*\n)+?(?=--#)/.exec(readLua(name))![0];
  const [, keys, args, returns] = /^-- KEYS([^]*?)^-- ARGV$([^]*?)^-- Returns([^]*)/m.exec(text)!;
  const [common, ...rows] = args!.split(/^-- ARGV for each /m);
  return {
    keys: [...keys!.matchAll(/ {2}(\d+ \w+)/g)].map(([, key]) => key!),
    args: namesIn(common!),
    rows: Object.fromEntries(rows.map((row) => [inTypeScript(/^\w+/.exec(row)![0]), namesIn(row)])),
    returns: returns!,
  };
}

/** What begins a line behind three spaces: names, and further on what they mean. */
function namesIn(lines: string): string[] {
  const listed = [...lines.matchAll(/^-- {3}(\w+(?:, \w+)*)(?: {2}|$)/gm)].map(([, names]) => names!);
  return listed.join(', ').split(', ').map(inTypeScript);
}

function inTypeScript(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The locals that a piece of Lua gets from `source`, in order. */
function localsFrom(lua: string, source: string): string[] {
  const pattern = new RegExp(`^local ([\\w\\s,]+?)\\s*=\\s*${source}`, 'm');
  return pattern.exec(lua)![1]!.split(/,\s*/);
}

/** A piece of Lua without its comments. */
function codeOf(lua: string): string {
  return lua.replaceAll(/--.*$/gm, '');
}

function codesIn(text: string): string[] {
  return Object.keys(CODES).filter((each) => new RegExp(`\\b${each}\\b`).test(text));
}

describe('the Lua scripts', () => {
  it('are those that scripts.ts knows', () => {
    expect(luaFiles('.')).to.have.members(Object.keys(SCRIPTS));
  });

  for (const name of Object.keys(SCRIPTS) as ScriptName[]) {
    describe(name, () => {
      const { keys, args, rows, returns } = readHeader(name);
      /** With the names of constants. */
      const code = readScript(name, new Map());

      it('names in its header the keys it gets, as the code does', () => {
        const names = localsFrom(readLua('lib/keys'), 'unpack\\(KEYS').map((each, i) => `${i + 1} ${each}`);
        expect(keys).to.deep.equal(SCRIPTS[name].about === 'one entry' ? names : names.slice(0, -1));
      });

      it('names in its header the arguments it gets, in order', () => {
        expect(args).to.deep.equal(argumentNames(name));
      });

      it('names in its header the rows it takes, and what they have', () => {
        const taken = [...readLua(name).matchAll(/--#take (\w+)/g)].map(([, row]) => inTypeScript(row!));
        expect(Object.keys(rows)).to.have.members([...new Set(taken)]);
        if (name in FORMS) expect(Object.keys(rows)).to.deep.equal(FORMS[name as GroupedName]);
        for (const [row, names] of Object.entries(rows))
          expect(names.join(' ')).to.equal(ROWS[row as RowName]);
      });

      it('names in its header the codes that it replies', () => {
        expect(codesIn(code)).to.include.members(codesIn(returns));
        expect(codesIn(returns)).to.include.members(codesIn(codeOf(readLua(name))));
      });
    });
  }
});

describe('a reply with names', () => {
  const HAS: Readonly<Record<keyof typeof NAMED_REPLIES, ScriptName>> = {
    news: 'changes',
    settings: 'settings',
  };

  for (const [reply, script] of Object.entries(HAS) as [keyof typeof HAS, ScriptName][]) {
    it(`of ${script}.lua has those, behind each its value, that its header and script-contract.ts have: ${reply}`, () => {
      const { returns } = readHeader(script);
      // In Lua: 'name', value, in braces.
      const replies = codeOf(readLua(script)).match(/\{ '[^]*?\}/g)!;
      const names = NAMED_REPLIES[reply].split(' ');
      for (const each of names) expect(returns, each).to.match(new RegExp(`^-- .*\\b${each}\\b`, 'm'));
      expect(replies.some((lua) => names.every((each) => new RegExp(`'${each}',\\s`).test(lua)))).to.equal(
        true,
      );
    });
  }

  it('has of an entry what TOLD_FIELDS says, and three more', () => {
    const [, fields] = /TOLD_FIELDS = \{([^}]*)\}/.exec(readLua('lib/records'))!;
    expect([...fields!.matchAll(/'(\w+)'/g)].map(([, each]) => each)).to.deep.equal(
      TOLD.split(' ').slice(0, -3),
    );
  });
});

describe('the includes of the Lua scripts', () => {
  for (const name of luaFiles('lib')) {
    it(`do nothing by themselves: ${name} declares locals and functions`, () => {
      // A statement at the top level begins in the first column, and a call has a parenthesis.
      const statements = readLua(`lib/${name}`)
        .split('\n')
        .filter((line) => /^\S/.test(line) && !/^(--|local function |end$)/.test(line));
      for (const statement of statements) expect(statement).to.match(/^local [^()]+$/);
    });
  }
});

describe('the constants of the Lua scripts', () => {
  it('are those that a script names, and no other', () => {
    const lua = [...luaFiles('.'), ...luaFiles('lib').map((file) => `lib/${file}`)].map(readLua).join('\n');
    const code = codeOf(lua).replaceAll(/'[^']*'/g, '');
    const own = [...code.matchAll(/local ([A-Z][A-Z_, ]+) =/g)].flatMap(([, names]) => names!.split(', '));
    const named = [...code.matchAll(/\b[A-Z][A-Z_]+\b/g)].map(([each]) => each);
    const builtIn = ['KEYS', 'ARGV'];
    expect(new Set(named.filter((each) => !own.includes(each) && !builtIn.includes(each)))).to.deep.equal(
      new Set(CONSTANTS.keys()),
    );
  });

  it('stand in a script as they are, and no text is taken for one', () => {
    const lua = readScript('changes', new Map([...CONSTANTS, ['BATCH_LIMIT', '47'], ['DAMAGED', '11']]));
    expect(lua).to.include("'LIMIT', 0, 47)").and.include("'DAMAGED the keys").and.not.include('BATCH_LIMIT');
  });

  it('are written so that they are read back exactly', () => {
    const odd = { ...createLifetime(60_000), ttlMs: 1e21, silentBelowMs: 0.1 + 0.2 };
    const constants = createConstants({ ...SETTINGS, lifetime: odd });
    expect([...constants.values()]).to.include.members([
      '1e+21',
      '0.30000000000000004',
      '6755399441055744',
      '(-2)',
    ]);
  });

  it('are no other than numbers and flags', () => {
    const broken = { ...lifetime, ttlMs: Number.NaN };
    expect(() => createConstants({ ...SETTINGS, lifetime: broken })).to.throw(RangeError);
  });
});
