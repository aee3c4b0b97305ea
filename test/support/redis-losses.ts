/** What can happen to the data of a Redis, and whether what is there fits together. */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { comparableAddress } from '../../src/model/comparable.ts';
import { isUnlisted } from '../../src/model/game-server.ts';
import { createKeys } from '../../src/registry/redis/keys.ts';

/** Saves everything in this Redis. Resolves with a function that puts it back as it was. */
export async function saveRedis(client: Redis): Promise<() => Promise<void>> {
  const keys = await client.keys('*');
  const saved = await Promise.all(
    keys.map(async (key) => [key, await client.pttl(key), await client.dumpBuffer(key)] as const),
  );
  return async () => {
    await client.flushall();
    await Promise.all(saved.map(([key, ttlMs, dump]) => client.restore(key, Math.max(ttlMs, 0), dump)));
  };
}

/**
 * Checks the unnamed registry: counts, digest, records and addresses agree, and no key is there that is not designed.
 */
export async function expectConsistent(client: Redis, { uniqueAddress = false } = {}): Promise<void> {
  const [keys, servers, changes, removed, state, addresses] = await Promise.all([
    client.keys('*'),
    client.zrange('{gsls}:servers', 0, '-1'),
    client.zrange('{gsls}:changes', 0, '-1', 'WITHSCORES'),
    client.zrange('{gsls}:removed', 0, '-1'),
    client.hgetall('{gsls}:state'),
    client.hgetall('{gsls}:addresses'),
  ]);
  const versions = new Map<string, number>();
  for (let i = 0; i < changes.length; i += 2) versions.set(changes[i]!, Number(changes[i + 1]));
  expect([...versions.keys()].toSorted(), 'ids in changes and in servers').to.deep.equal(servers.toSorted());
  expect(new Set([...servers, ...removed]).size, 'no id is listed and removed').to.equal(
    servers.length + removed.length,
  );
  let digest = 0;
  for (const version of versions.values()) digest = (digest + (version % 2 ** 40)) % 2 ** 40;
  expect(Number(state['digest'] ?? 0), 'digest').to.equal(digest);
  expect(Number(state['version'] ?? 0), 'version').to.be.at.least(Math.max(0, ...versions.values()));

  const records = new Map<string, Record<string, string>>();
  for (const key of keys) {
    if (!key.startsWith('{gsls}:server:')) {
      const { shared, historyPrefix } = createKeys('');
      expect(key).to.be.oneOf([...shared, `${historyPrefix}minute`, `${historyPrefix}hour`]);
      continue;
    }
    expect(await client.pttl(key), `expiry of ${key}`).to.be.above(0);
    records.set(key.slice('{gsls}:server:'.length), await client.hgetall(key));
  }
  for (const [id, version] of versions) {
    const record = records.get(id);
    expect(record, `record of ${id}`).to.include.keys('ip', 'host', 'name', 'port', 'players', 'max_players');
    expect(Number(record!['version']), 'version in the record').to.equal(version);
    expect(record).to.not.have.property('expired_at');
    const place = isUnlisted(id) ? `\n${id}` : placeOf(record!);
    if (uniqueAddress) expect(addresses[place], 'the holder of the address').to.equal(id);
  }
  for (const [address, id] of Object.entries(addresses)) {
    // Of an entry whose address is spelled in another way than it is compared.
    const isPlaceOf = address.startsWith('\n') ? address.slice(1) : undefined;
    const [holder, place] = isPlaceOf === undefined ? [id, address] : [isPlaceOf, id];
    expect(versions.has(holder), 'the holder of an address is listed').to.equal(true);
    if (!isUnlisted(holder))
      expect(placeOf(records.get(holder)!), 'the address of its holder').to.equal(place);
  }
  for (const [id, record] of records) {
    if (!versions.has(id))
      expect(record, 'record of an entry that is not listed').to.have.property('expired_at');
  }
}

function placeOf(record: Readonly<Record<string, string>>): string {
  return comparableAddress({ host: record['host']!, ip: record['ip']!, port: Number(record['port']) });
}
