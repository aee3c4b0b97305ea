/** The header of each Lua script against what the script reads and what scripts.ts passes. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { RedisClient } from '../../../src/registry/redis/connection/create-client.ts';
import { createKeys } from '../../../src/registry/redis/keys.ts';
import { createScripts, readScript, SCRIPTS } from '../../../src/registry/redis/scripts.ts';
import { aGameServer } from '../../support/builders.ts';
import { lifetime } from '../../support/describe-registry.ts';

const DIRECTORY = new URL('../../../src/registry/redis/lua/', import.meta.url);
const files = readdirSync(DIRECTORY, { withFileTypes: true }).filter((entry) => entry.isFile());
const names = files.map(({ name }) => name.replace('.lua', ''));

interface Header {
  readonly keys: readonly number[];
  readonly args: readonly number[];
}

/** The numbers under KEYS and ARGV in the comment a script begins with. */
function readHeader(name: string): Header {
  const lines = readFileSync(new URL(`${name}.lua`, DIRECTORY), 'utf8').split('\n');
  const header = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('-- ')),
  );
  const numbersFrom = (start: string, end: string): number[] => {
    const from = header.findIndex((line) => line.startsWith(`-- ${start}`));
    const to = header.findIndex((line) => line.startsWith(`-- ${end}`));
    return [
      ...header
        .slice(from, to)
        .join('\n')
        .matchAll(/ {2}(\d+) /g),
    ].map(([, number]) => Number(number));
  };
  return { keys: numbersFrom('KEYS', 'ARGV'), args: numbersFrom('ARGV', 'Returns') };
}

function highest(table: 'KEYS' | 'ARGV', lua: string): number {
  return Math.max(...[...lua.matchAll(new RegExp(`${table}\\[(\\d+)\\]`, 'g'))].map(([, n]) => Number(n)));
}

function oneTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
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
    lifetime,
    uniqueAddress: false,
    holdMassExpiry: true,
  });
  await Promise.allSettled([
    scripts.broadcast('id', aGameServer()),
    scripts.ping('id', aGameServer()),
    scripts.remove('id', aGameServer().ip),
    scripts.changes({ epoch: '', cursor: 0, base: 0 }),
    scripts.reset(() => undefined),
    scripts.restore({ version: 0, removed: [], listed: [] }),
    scripts.settle('epoch', 'loss', 0),
    scripts.mend(new Map()),
  ]);
  return counts;
}

describe('the Lua scripts', () => {
  it('are those that scripts.ts knows', () => {
    expect(names).to.have.members(Object.keys(SCRIPTS));
  });

  for (const name of Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]) {
    describe(name, () => {
      const { keys, args } = readHeader(name);
      const lua = readScript(name);

      it('says in its header which keys it gets', () => {
        expect(keys).to.deep.equal(oneTo(SCRIPTS[name]));
        expect(highest('KEYS', lua)).to.equal(SCRIPTS[name]);
      });

      it('says in its header which arguments it reads', () => {
        expect(args).to.deep.equal(oneTo(highest('ARGV', lua)));
      });

      it('gets as many arguments as its header says', async () => {
        expect((await countArguments())[name]).to.equal(keys.length + args.length);
      });

      it('includes nothing that is not there', () => {
        expect(lua).to.not.include('--#include');
      });
    });
  }
});
