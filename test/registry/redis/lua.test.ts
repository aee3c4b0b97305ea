/** The header of each Lua script against the script and what scripts.ts passes; and what an include may do. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { RedisClient } from '../../../src/registry/redis/connection/create-client.ts';
import { BEGINNING } from '../../../src/registry/redis/feed/feed.ts';
import { UNKNOWN_CALLER } from '../../../src/registry/registry.ts';
import { createKeys } from '../../../src/registry/redis/keys.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { createPrelude } from '../../../src/registry/redis/scripts/prelude.ts';
import { readScript, SCRIPTS, type ScriptName } from '../../../src/registry/redis/scripts/script-source.ts';
import { createScripts } from '../../../src/registry/redis/scripts/scripts.ts';
import { aGameServer } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';

const DIRECTORY = new URL('../../../src/registry/redis/lua/', import.meta.url);
const SETTINGS = { lifetime, uniqueAddress: false, holdMassExpiry: true, isCluster: false };
const PRELUDE = createPrelude(SETTINGS);

function luaFiles(folder: string): string[] {
  const entries = readdirSync(new URL(folder, DIRECTORY), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name.replace('.lua', ''));
}

function readLua(file: string): string {
  return readFileSync(new URL(`${file}.lua`, DIRECTORY), 'utf8');
}

/** A key or an argument: its number and its name. */
type Named = readonly [number: number, name: string];

/** What the comment a script begins with says under KEYS and ARGV. */
function readHeader(name: ScriptName): { readonly keys: readonly Named[]; readonly args: readonly Named[] } {
  const lines = readLua(name).split('\n');
  const header = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('--')),
  );
  const namesFrom = (start: string, end: string): Named[] => {
    const from = header.findIndex((line) => line.startsWith(`-- ${start}`));
    const to = header.findIndex((line) => line.startsWith(`-- ${end}`));
    const text = header.slice(from, to).join('\n');
    return [...text.matchAll(/ {2}(\d+) (\w+)/g)].map(([, number, each]) => [Number(number), each!]);
  };
  return { keys: namesFrom('KEYS', 'ARGV'), args: namesFrom('ARGV', 'Returns') };
}

function numbered(names: readonly string[]): Named[] {
  return names.map((name, index) => [index + 1, name]);
}

/** The locals that a piece of Lua gets from `source`, in order. */
function localsFrom(lua: string, source: string): string[] {
  const pattern = new RegExp(`^local ([\\w\\s,]+?)\\s*=\\s*${source}`, 'm');
  return pattern.exec(lua)![1]!.split(/,\s*/);
}

/** How many keys and arguments scripts.ts sends with each script. */
async function countArguments(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const client: Record<string, unknown> = {
    defineCommand(command: string) {
      client[command] = async (...args: readonly unknown[]) => {
        counts[command.replace('gsls_', '')] = args.length;
        throw Object.assign(new Error('nothing answers here'), { name: 'ReplyError' });
      };
    },
  };
  const scripts = createScripts({
    client: client as unknown as RedisClient,
    keys: createKeys(''),
    ...SETTINGS,
  });
  await Promise.allSettled([
    scripts.broadcast('id', aGameServer()),
    scripts.ping('id', aGameServer()),
    scripts.remove('id', aGameServer().ip, UNKNOWN_CALLER),
    scripts.changes(BEGINNING),
    scripts.reset(() => undefined),
    scripts.restore({ version: 0, tombstones: [], listed: [] }),
    scripts.declareWhole('epoch', 'loss', 0),
    scripts.mend(new Map()),
    scripts.exchangeSettings({ secret: '', newSecret: 'new', oldestRelease: '', version: 0 }),
    scripts.moderate(0, '{}'),
    scripts.recount({ rank: 0, miscounted: [] }),
    scripts.noteReachability('id', aGameServer(), 'answered'),
    scripts.exchangeHistory('minute', [], -1),
  ]);
  return counts;
}

describe('the Lua scripts', () => {
  it('are those that scripts.ts knows', () => {
    expect(luaFiles('.')).to.have.members(Object.keys(SCRIPTS));
  });

  for (const name of Object.keys(SCRIPTS) as ScriptName[]) {
    describe(name, () => {
      const { keys, args } = readHeader(name);
      const lua = readScript(name, PRELUDE);

      it('names in its header the keys it gets, as the code does', () => {
        const names = localsFrom(readLua('lib/keys'), 'KEYS');
        expect(keys).to.deep.equal(numbered(names.slice(0, SCRIPTS[name] ?? createKeys('').shared.length)));
      });

      it('names in its header the arguments it unpacks, in order', () => {
        expect(args).to.deep.equal(numbered(localsFrom(readLua(name), 'unpack\\(ARGV')));
      });

      it('reads no argument and no key by its number', () => {
        expect(readLua(name)).to.not.match(/(KEYS|ARGV)\[\d/);
      });

      it('gets as many arguments as its header says', async () => {
        // Groups of one: the number of the keys, one record, and what there is to say of one entry.
        const more = { broadcast: 1 + 1 + 16, ping: 1 + 1 + 15 }[name as string] ?? 0;
        expect((await countArguments())[name]).to.equal(keys.length + args.length + more);
      });

      it('begins with its header, its includes and its arguments, and includes nothing later', () => {
        expect(readLua(name)).to.match(/^(--.*\n)+--#include .*\nlocal [\w\s,]+=\s*unpack\(ARGV/);
        expect(lua).to.not.include('--#include');
      });
    });
  }
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

describe('the prelude of the Lua scripts', () => {
  it('has every constant that a script names, and no other', () => {
    const declared = localsFrom(PRELUDE, '');
    const lua = [...luaFiles('.'), ...luaFiles('lib').map((file) => `lib/${file}`)].map(readLua).join('\n');
    const code = lua.replaceAll(/--.*$/gm, '').replaceAll(/'[^']*'/g, '');
    const own = [...code.matchAll(/local ([A-Z][A-Z_, ]+) =/g)].flatMap(([, names]) => names!.split(', '));
    const named = [...code.matchAll(/\b[A-Z][A-Z_]+\b/g)].map(([each]) => each);
    const builtIn = ['KEYS', 'ARGV'];
    expect(new Set(named.filter((each) => !own.includes(each) && !builtIn.includes(each)))).to.deep.equal(
      new Set(declared),
    );
  });

  it('writes numbers so that they are read back exactly', () => {
    const odd = { ...createLifetime(60_000), ttlMs: 1e21, silentBelowMs: 0.1 + 0.2 };
    const prelude = createPrelude({ ...SETTINGS, lifetime: odd });
    expect(prelude).to.include('1e+21').and.include('0.30000000000000004').and.include('6755399441055744');
  });

  it('refuses what is no number', () => {
    const broken = { ...lifetime, ttlMs: Number.NaN };
    expect(() => createPrelude({ ...SETTINGS, lifetime: broken })).to.throw(RangeError);
  });
});
