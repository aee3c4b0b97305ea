/** Lists of one epoch and version have the same bytes on every replica, also while moderators decide. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { NO_DECISIONS, withBan } from '../../../src/registry/decisions/decisions.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, textOf } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { saveRedis } from '../../support/redis-losses.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { runs } from '../../support/runs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const REPLICAS = 3;
const RESTS_AFTER_MS = 60_000;
const NAMES = ['game', 'casino', 'poker'];

const act = fc.record({
  kind: fc.constantFrom(
    'list' as const,
    'broadcast' as const,
    'ban' as const,
    'short ban' as const,
    'lift' as const,
  ),
  replica: fc.nat({ max: REPLICAS - 1 }),
  name: fc.constantFrom(...NAMES),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** What happens at the same time; then perhaps a loss. */
const round = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
  afterwards: fc.constantFrom(
    'nothing' as const,
    'nothing' as const,
    'time passes' as const,
    'silence' as const,
    'save' as const,
    'roll back' as const,
    'wipe' as const,
  ),
});

needs('redis-server').describe('lists with the same tag', () => {
  const fixture = useReplicas();

  it('have the same bytes, whatever is banned and lifted meanwhile', async function () {
    this.timeout(5 * 60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), async (rounds) => {
        const { client, clock } = fixture;
        await client.flushall();
        const replicas = await Promise.all(
          Array.from({ length: REPLICAS }, () =>
            fixture.open({ lossNoticeMs: 10, restsAfterMs: RESTS_AFTER_MS }),
          ),
        );
        const texts = new Map<string, string>();
        const look = async (registry: RedisRegistry): Promise<void> => {
          const listing = await registry.list();
          const { epoch, version } = listing.snapshot;
          const text = await textOf(listing);
          const tag = `${epoch} ${version}`;
          expect(text, `the list ${tag}`).to.equal(texts.get(tag) ?? text);
          texts.set(tag, text);
        };
        const carryOut = async ({ kind, replica, name }: Act): Promise<void> => {
          const registry = replicas[replica]!;
          if (kind === 'broadcast') await registry.broadcast(createGameServerId(), aGameServer({ name }));
          else if (kind === 'lift') await registry.moderation.decide(() => NO_DECISIONS);
          else if (kind !== 'list') {
            const expiresAt = clock.now() + lifetime.sweepIntervalMs;
            const ban = aBan({ name, ...(kind === 'short ban' && { expiresAt }) });
            await registry.moderation.decide((decided) => withBan(decided, ban, { key: 'ada' }));
          }
          await look(registry);
        };
        /** All entries expire, and every replica rests: the next loss finds them so. */
        const allRest = async (): Promise<void> => {
          await clock.advance(2 * lifetime.ttlMs);
          clock.jump(RESTS_AFTER_MS);
          await clock.advance(2 * lifetime.sweepIntervalMs);
          expect(clock.timers, 'timers').to.equal(REPLICAS);
        };
        let rollBack = (): Promise<unknown> => client.flushall();
        try {
          for (const { acts, afterwards } of rounds) {
            clock.jump(1);
            // Too many decisions at the same time are refused.
            await Promise.all(acts.map((each) => carryOut(each).catch(ignoreUnavailable)));
            if (afterwards === 'time passes') await clock.advance(2 * lifetime.sweepIntervalMs);
            else if (afterwards === 'silence') await allRest();
            else if (afterwards === 'save') rollBack = await saveRedis(client);
            else if (afterwards !== 'nothing') await (afterwards === 'wipe' ? client.flushall() : rollBack());
            await Promise.all(replicas.map(look));
          }
          await Promise.all(replicas.map(look));
          await Promise.all(replicas.map(look));
          expect(new Set(replicas.map(({ moderation }) => JSON.stringify(moderation.decided))).size).to.equal(
            1,
          );
        } finally {
          await Promise.all(replicas.map((each) => each.close()));
        }
      }),
      { numRuns: runs(8) },
    );
  });
});

function ignoreUnavailable(error: { readonly code?: string }): void {
  if (error.code !== 'registry_unavailable') throw error as Error;
}
