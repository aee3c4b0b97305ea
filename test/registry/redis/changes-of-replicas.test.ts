/** What has changed since a list of one replica, as another one tells it: clients go from replica to replica. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { finish } from '../../../src/api/work/work.ts';
import { NO_DECISIONS, withBan } from '../../../src/registry/bans/decisions.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { Row } from '../../../src/registry/snapshot/row.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { runs } from '../../support/runs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const NAMES = ['game', 'casino', 'poker'];

const act = fc.record({
  kind: fc.constantFrom(
    'broadcast' as const,
    'remove' as const,
    'ban' as const,
    'lift' as const,
    'look at the first' as const,
    'look at the second' as const,
  ),
  name: fc.constantFrom(...NAMES),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** A ban comes and goes, or goes and comes, between two looks of the replica; the entry leaves after it is lifted. */
const UNSEEN_BANS = [
  'broadcast, look at the second, ban, look at the first, lift, look at the second',
  'broadcast, ban, look at the second, lift, look at the first, ban, look at the second',
  'broadcast, ban, look at the second, lift, look at the first, remove, look at the second',
].map((acts): [Act[]] => [acts.split(', ').map((kind) => ({ kind: kind as Act['kind'], name: 'casino' }))]);

needs('redis-server').describe('the changes since a list of another replica', () => {
  const fixture = useReplicas();
  let first: RedisRegistry;
  /** Follows only when it is asked for its list, as if it were frozen otherwise. */
  let second: RedisRegistry;

  async function openBoth(): Promise<void> {
    [first, second] = [await fixture.open(), await fixture.open()];
  }

  const look = async (registry: RedisRegistry): Promise<Snapshot> => {
    fixture.clock.jump(1);
    return (await registry.list()).snapshot;
  };

  beforeEach(openBoth);

  it('are told as such after a decision that the replica followed, and anew after one of an earlier release', async () => {
    await broadcastTo(first, aGameServer({ name: 'game' }));
    await look(second);
    const before = await look(first);
    await ban(first, 'casino');
    expect(finish((await look(second)).changesSince(before))).not.to.equal(undefined);
    const since = await look(second);
    const pair = await fixture.client.hget('{gsls}:settings', 'moderationAfter');
    await ban(first, 'poker');
    await fixture.client.hset('{gsls}:settings', 'moderationAfter', pair!);
    expect(finish((await look(second)).changesSince(since))).to.equal(undefined);
  });

  it('lead from any list of the one to any later list of the other', async function () {
    this.timeout(5 * 60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 30 }), async (acts) => {
        await fixture.client.flushall();
        await openBoth();
        const ids: string[] = [];
        const seen: Snapshot[] = [];
        for (const { kind, name } of acts) {
          if (kind === 'broadcast') ids.push(await broadcastTo(first, aGameServer({ name })));
          else if (kind === 'ban') await ban(first, name);
          else if (kind === 'lift') await first.moderation.decide(() => NO_DECISIONS);
          else if (kind === 'look at the first') seen.push(await look(first));
          else if (kind === 'remove') {
            const id = ids.shift();
            if (id !== undefined) await first.remove(id, aGameServer().ip);
          } else {
            const now = await look(second);
            for (const before of seen) expectToLead(before, now);
            seen.push(now);
          }
        }
        for (const registry of [first, second]) {
          const now = await look(registry);
          for (const before of seen) expectToLead(before, now);
          await registry.close();
        }
      }),
      { numRuns: runs(12) + UNSEEN_BANS.length, examples: UNSEEN_BANS },
    );
  });
});

async function ban(registry: RedisRegistry, name: string): Promise<void> {
  await registry.moderation.decide((decided) => withBan(decided, aBan({ name })));
}

/** A client that has the one list, and is told what has changed since or the whole list, has the other one. */
function expectToLead(before: Snapshot, now: Snapshot): void {
  if (before.version > now.version) return;
  const changes = finish(now.changesSince(before));
  if (changes === undefined) return;
  const known = rowsOf(before);
  for (const id of changes.gone) known.delete(id);
  for (const row of changes.changed) known.set(row.id, row);
  expect([...known.keys()].toSorted()).to.deep.equal([...rowsOf(now).keys()].toSorted());
}

function rowsOf(snapshot: Snapshot): Map<string, Row> {
  return new Map(snapshot.chunks.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
}
