/** A record that Redis loses again while its loss is being mended: by eviction, or by another program. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { numbers } from '../../support/in-groups.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent } from '../../support/redis-losses.ts';
import { runs } from '../../support/runs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

interface Case {
  readonly replicas: number;
  /** After which script calls since the first loss the record is lost again. */
  readonly lostAfter: readonly number[];
}

/** More calls than the mending of a loss needs. */
const MOST_CALLS = 40;

const oneCase = fc.record({
  replicas: fc.integer({ min: 1, max: 3 }),
  lostAfter: fc.uniqueArray(fc.nat({ max: MOST_CALLS }), { minLength: 1, maxLength: 8 }),
});

/** The entry was gone for good: lost again between its restoring and the next look. */
const FOUND: Case = { replicas: 1, lostAfter: [4] };

needs('redis-server').describe('a record that is lost again while its loss is mended', () => {
  const fixture = useReplicas();

  it('is restored, whenever and however often that is', async function () {
    this.timeout(5 * 60_000);
    const { client } = fixture;
    await fc.assert(
      fc.asyncProperty(oneCase, async ({ replicas, lostAfter }) => {
        await client.flushall();
        let calls = -Infinity;
        let record = '';
        const onCall = (): void => {
          calls += 1;
          if (lostAfter.includes(calls)) void client.del(record);
        };
        const all = await Promise.all(
          numbers(replicas).map(() => fixture.open({ lossNoticeMs: 10, events: { onCall } })),
        );
        const first = all[0]!;
        const ids = [await broadcastTo(first, aGameServer()), await broadcastTo(first, aGameServer())];
        await Promise.all(all.map((each) => each.list()));
        fixture.clock.jump(1);
        record = `{gsls}:server:${ids[0]}`;
        await first.ping(ids[0]!, aGameServer({ name: 'changed' }));
        await client.del(record);
        calls = -1;
        for (let looks = 0; looks < 4; looks += 1) {
          fixture.clock.jump(1);
          await Promise.all(all.map((each) => each.list()));
        }
        calls = Infinity;
        expect(await first.ping(ids[0]!, aGameServer({ players: 9 }))).to.equal('refreshed');
        for (const each of all) {
          const { servers } = await bodyOf(await each.list());
          expect(servers.map(({ id }) => id)).to.have.members(ids);
        }
        await expectConsistent(client);
        await Promise.all(all.map((each) => each.close()));
      }),
      { numRuns: runs(10), examples: [[FOUND]] },
    );
  });
});
