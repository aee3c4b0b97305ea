/** Compares the lists of all replicas with each other and, field by field, with what the store holds. */

import type { Cluster, Redis } from 'ioredis';
import { createKeys } from '../../../src/registry/redis/keys.ts';
import type { ListBody, ListedBody } from '../../support/builders.ts';
import type { Load, Site } from '../../support/load/load.ts';
import { mastersOf, type Store } from './setup.ts';

const {
  shared: SHARED_KEYS,
  recordPrefix: RECORD_PREFIX,
  ratePrefix,
  leasePrefix,
  historyPrefix,
  reports,
} = createKeys('');
/** The registries that have a name. */
const OTHERS = '{gsls:';
const DIGEST_MODULUS = 2 ** 40;
/** An entry may leave the list between two attempts; not between all of them. */
const ATTEMPTS = 50;
const SCAN_COUNT = 1000;

/** What the store holds at one version. */
interface Contents {
  readonly version: string | null;
  readonly digest: number;
  readonly servers: readonly string[];
  /** Version of the last change by id. */
  readonly changes: ReadonlyMap<string, number>;
  readonly records: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Sentences about what is wrong; none if all is well. Meanwhile no client changes the list. */
export async function auditStore(site: Site & { readonly store: Store }, load: Load): Promise<string[]> {
  const { client } = site.store;
  const stray = (await keysOf(site.store)).filter(
    (key) =>
      !SHARED_KEYS.includes(key) &&
      key !== reports &&
      ![RECORD_PREFIX, ratePrefix, leasePrefix, historyPrefix, OTHERS].some((prefix) =>
        key.startsWith(prefix),
      ),
  );
  const reasons = stray.length === 0 ? [] : [`${stray.length} keys are none of ours, as ${stray[0]}`];
  return load.hush(async () => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const contents = await read(client);
      const lists = await Promise.all(site.serving.map(async (each) => load.list(each, each.host)));
      if ((await client.hget('{gsls}:state', 'version')) !== contents.version) continue;
      const answers = lists.map(({ operation }) => operation.answer);
      if (answers.some((answer) => answer?.status !== 200 || answer.headers['warning'] !== undefined))
        continue;
      const texts = new Set(answers.map((answer) => answer!.text));
      if (texts.size > 1) reasons.push(`the lists of ${answers.length} replicas differ`);
      if (new Set(answers.map((answer) => answer!.headers.etag)).size > 1)
        reasons.push(`the ETags of ${answers.length} replicas differ`);
      const [text] = texts;
      return [...reasons, ...differences(contents, JSON.parse(text!) as ListBody)];
    }
    return [...reasons, 'the lists never came to rest, so that they could not be compared with the store'];
  });
}

async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for (const node of mastersOf(store))
    for await (const found of node.scanStream({ count: SCAN_COUNT })) keys.push(...(found as string[]));
  return keys;
}

async function read(client: Redis | Cluster): Promise<Contents> {
  const { version = null, digest } = await client.hgetall('{gsls}:state');
  const servers = await client.zrange('{gsls}:servers', 0, -1);
  const scored = await client.zrange('{gsls}:changes', 0, -1, 'WITHSCORES');
  const changes = new Map<string, number>();
  for (let i = 0; i < scored.length; i += 2) changes.set(scored[i]!, Number(scored[i + 1]));
  const records = new Map(
    await Promise.all(
      [...changes.keys()].map(async (id): Promise<[string, Record<string, string>]> => [
        id,
        await client.hgetall(RECORD_PREFIX + id),
      ]),
    ),
  );
  return { version, digest: Number(digest), servers, changes, records };
}

function differences(
  { digest, servers, changes, records }: Contents,
  { servers: listed }: ListBody,
): string[] {
  const reasons: string[] = [];
  const ids = new Set(listed.map(({ id }) => id));
  if (ids.size !== changes.size || listed.some(({ id }) => !changes.has(id)))
    reasons.push(`the lists show ${ids.size} game servers, {gsls}:changes holds ${changes.size}`);
  if (servers.length !== changes.size || servers.some((id) => !changes.has(id)))
    reasons.push(`{gsls}:servers holds ${servers.length} ids, {gsls}:changes ${changes.size}`);
  const sum = [...changes.values()].reduce((total, version) => (total + version) % DIGEST_MODULUS, 0);
  if (sum !== digest) reasons.push('the digest in the store is not the sum of its versions');
  const wrong = listed.filter((each) => !sameFields(each, records.get(each.id)));
  if (wrong.length > 0) reasons.push(`${wrong.length} records differ from the list, as ${wrong[0]!.id}`);
  return reasons;
}

function sameFields(listed: ListedBody, record: Readonly<Record<string, string>> = {}): boolean {
  const { host, name, port, ip, players, max_players } = listed;
  return Object.entries({ host, name, port, ip, players, max_players }).every(
    ([field, value]) => record[field] === String(value),
  );
}
