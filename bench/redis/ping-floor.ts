/** The least that Redis can do for a ping: the scripts ping-floor-*.lua, on a copy of the keys of a registry. */

import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { createKeys } from '../../src/registry/redis/keys.ts';
import type { Listed } from '../support/requests.ts';
import type { Load } from './load-in-turn.ts';

const OURS = createKeys('');
const [SERVERS, LOG] = ['{floor}:servers', '{floor}:log'];
const RECORD = '{floor}:server:';
/** Pings that go to Redis together. */
const TOGETHER = 32;
/** No entry expires during a measurement. */
const LIFE_MS = 86_400_000;

/**
 * Loads of so many pings: each a call of its own, 32 in a pipeline, or one after the other; or one call for all 32.
 * `isChanged`: whether each says other players.
 */
export async function createPingFloor(
  client: Redis,
  listed: readonly Listed[],
  pings: { readonly together: number; readonly alone: number },
  isChanged: boolean,
): Promise<Record<'pipelined' | 'alone' | 'grouped', Load>> {
  const name = `ping-floor-${isChanged ? 'changed' : 'unchanged'}.lua`;
  const lua = readFileSync(new URL(name, import.meta.url), 'utf8');
  const sha = (await client.script('LOAD', lua)) as string;
  const versions = await copyKeys(client, listed);
  const shared = isChanged ? [SERVERS, LOG] : [SERVERS];
  let version = Number(versions.get(listed[0]!.id));
  let players = 100;

  /** A call for these. */
  const argsOf = (some: readonly Listed[]): [sha: string, keys: number, ...args: string[]] => {
    const rows = some.flatMap(({ id }) => {
      const known = versions.get(id)!;
      if (!isChanged) return [id, known];
      version += 1;
      versions.set(id, String(version));
      return [id, known, String(players), String(version)];
    });
    const records = some.map(({ id }) => RECORD + id);
    return [sha, shared.length + some.length, ...shared, ...records, String(Date.now() + LIFE_MS), ...rows];
  };
  const load = (
    count: number,
    together: number,
    send: (some: readonly Listed[]) => Promise<unknown>,
  ): Load => ({
    async run() {
      await client.del(LOG);
      for (let sent = 0; sent < count; sent += together) {
        players += 1;
        await send(Array.from({ length: together }, (_, i) => listed[(sent + i) % listed.length]!));
      }
      return count;
    },
  });
  return {
    pipelined: load(pings.together, TOGETHER, async (some) => {
      const replies = await client.pipeline(some.map((each) => ['evalsha', ...argsOf([each])])).exec();
      for (const [error] of replies!) if (error !== null) throw error;
    }),
    grouped: load(pings.together, TOGETHER, (some) => client.evalsha(...argsOf(some))),
    alone: load(pings.alone, 1, (some) => client.evalsha(...argsOf(some))),
  };
}

/** Resolves with the version of each record. */
async function copyKeys(client: Redis, listed: readonly Listed[]): Promise<Map<string, string>> {
  await client.copy(OURS.shared[0]!, SERVERS, 'REPLACE');
  for (const { id } of listed) await client.copy(OURS.recordPrefix + id, RECORD + id, 'REPLACE');
  const versions = new Map<string, string>();
  for (const { id } of listed) versions.set(id, (await client.hget(RECORD + id, 'version'))!);
  return versions;
}
