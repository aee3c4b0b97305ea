/** What a restart, or a crash at any moment, leaves of a registry with a data file. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { statSync } from 'node:fs';
import { copyFile, truncate, writeFile } from 'node:fs/promises';
import { RESUMABLE_US } from '../../../src/registry/lifetime.ts';
import { withBan, type Ban } from '../../../src/registry/decisions/decisions.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { openKeptRegistry } from '../../support/kept-registry.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { runs } from '../../support/runs.ts';
import { HEADER, idsOf, linesOf, listOf, listedLine, useDataFiles } from '../../support/use-data-files.ts';

const { ttlMs, pingIntervalMs, reviveWindowMs } = lifetime;

describe('a data file after a restart', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  it('has everything that was acknowledged, and answers as before', async function () {
    this.timeout(5 * 60_000);
    const which = fc.nat({ max: 8 });
    const operation = fc.oneof(
      fc.record({ call: fc.constant('broadcast' as const), port: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        call: fc.constant('ping' as const),
        which,
        port: fc.integer({ min: 1, max: 3 }),
        players: fc.nat({ max: 2 }),
      }),
      fc.record({ call: fc.constant('remove' as const), which }),
      fc.record({
        call: fc.constant('advance' as const),
        ms: fc.constantFrom(1, pingIntervalMs, ttlMs, reviveWindowMs - ttlMs, reviveWindowMs),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(operation, { maxLength: 40 }), async (uniqueAddress, steps) => {
        const clock = new ManualClock();
        const path = newPath();
        const registry = await openKeptRegistry(path, { clock, uniqueAddress });
        const ids: string[] = [];
        for (const step of steps) {
          if (step.call === 'advance') await clock.advance(step.ms);
          else if (step.call === 'broadcast')
            ids.push(await broadcastTo(registry, aGameServer({ port: step.port })));
          else if (step.call === 'remove') await registry.remove(ids[step.which] ?? '-', aGameServer().ip);
          else {
            const { port, players } = step;
            await registry.ping(ids[step.which] ?? '-', aGameServer({ port, players }));
          }
        }
        // An expiry has no acknowledgement, but it is kept before a later change.
        await registry.list();
        ids.push(await broadcastTo(registry, aGameServer()));
        const copy = newPath();
        await copyFile(path, copy);
        const crashed = await openKeptRegistry(copy, { clock, uniqueAddress });
        await registry.close();
        const stopped = await openKeptRegistry(path, { clock, uniqueAddress });
        for (const restarted of [crashed, stopped]) {
          expect(await listOf(restarted)).to.equal(await listOf(registry));
        }
        const next = aGameServer({ port: 2, players: 9 });
        for (const id of ids) {
          const answers = [];
          for (const each of [registry, crashed, stopped]) {
            answers.push([
              await each.broadcast(id, next),
              await each.ping(id, aGameServer({ ip: '198.51.100.1' })),
              await each.ping(id, next),
            ]);
          }
          expect(answers[1]).to.deep.equal(answers[0]);
          expect(answers[2]).to.deep.equal(answers[0]);
        }
        for (const restarted of [crashed, stopped])
          expect(await listOf(restarted)).to.equal(await listOf(registry));
        await Promise.all([crashed.close(), stopped.close()]);
      }),
      { numRuns: runs(8) },
    );
  });

  it('gives every entry one TTL, however long the process was down, and then expires the silent ones', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const registry = await openAt(path, { clock });
    const [pinging, silent] = [
      await broadcastTo(registry, aGameServer()),
      await broadcastTo(registry, aGameServer()),
    ];
    const crashed = newPath();
    await copyFile(path, crashed);
    clock.jump(30 * 24 * 3_600_000);
    const restarted = await openAt(crashed, { clock });
    await clock.advance(ttlMs - 1);
    expect(await idsOf(restarted)).to.deep.equal([pinging, silent]);
    expect(await restarted.ping(pinging, aGameServer())).to.equal('refreshed');
    await clock.advance(1);
    expect(await idsOf(restarted)).to.deep.equal([pinging]);
  });

  it('has another epoch, and lists new entries last though the clock went back', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const registry = await openAt(path, { clock });
    const first = await broadcastTo(registry, aGameServer());
    clock.jump(-3_600_000);
    const restarted = await openAfterCrash(path, { clock });
    const second = await broadcastTo(restarted, aGameServer());
    expect(await idsOf(restarted)).to.deep.equal([first, second]);
    const epochs = [registry, restarted].map(async (each) => (await each.list()).snapshot.epoch);
    expect(await epochs[0]).to.not.equal(await epochs[1]);
  });

  it('keeps duplicates of before when addresses are unique from now on, until one is broadcast again', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const first = await broadcastTo(registry, aGameServer());
    const second = await broadcastTo(registry, aGameServer());
    const restarted = await openAfterCrash(path, { uniqueAddress: true });
    expect(await idsOf(restarted)).to.deep.equal([first, second]);
    const third = await broadcastTo(restarted, aGameServer());
    expect(await idsOf(restarted)).to.deep.equal([first, third]);
  });

  it('has the last change of an id that is there twice', async () => {
    const path = newPath();
    await writeFile(path, HEADER + listedLine('a', 1) + listedLine('b', 1) + listedLine('a', 3));
    expect(await idsOf(await openAt(path))).to.deep.equal(['b', 'a']);
  });

  it('numbers the places in the list anew, in the same order, when they lie at the end of all numbers', async () => {
    const path = newPath();
    const last = Number.MAX_SAFE_INTEGER;
    const lines = [listedLine('c', 1e300), listedLine('b', last), listedLine('a', last - 1)];
    const expired = `${JSON.stringify({ ...JSON.parse(listedLine('gone', last - 2)), is: 'expired', expiresAt: 1 })}\n`;
    await writeFile(path, HEADER + lines.join('') + expired);
    let renumbered = 0;
    const fileEvents = { onRenumbered: () => (renumbered += 1) };
    const registry = await openAt(path, { fileEvents });
    expect(await idsOf(registry)).to.deep.equal(['a', 'b', 'c']);
    const d = await broadcastTo(registry, aGameServer());
    expect(await idsOf(registry)).to.deep.equal(['a', 'b', 'c', d]);
    await registry.ping('b', aGameServer({ players: 9 }));
    expect(await listOf(registry)).to.include('"players":9');
    const restarted = await openAfterCrash(path, { fileEvents });
    expect(await listOf(restarted)).to.equal(await listOf(registry));
    expect(renumbered).to.equal(1);
  });

  it('revives entries that expired at a time that is still to come for as long as any others', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const expired = { ...JSON.parse(listedLine('an-id')), is: 'expired', expiresAt: 1e300 };
    await writeFile(path, `${HEADER}${JSON.stringify(expired)}\n`);
    const registry = await openAt(path, { clock });
    await clock.advance(reviveWindowMs - 1);
    expect(await registry.ping('an-id', aGameServer({ ip: '198.51.100.1' }))).to.equal('ip_mismatch');
    await clock.advance(1);
    expect(await registry.ping('an-id', aGameServer())).to.equal('unknown');
  });

  it('has the audit, with the names of the keys', async () => {
    const path = newPath();
    const { moderation } = await openAt(path);
    await moderation.decide((decided) => withBan(decided, aBan({ name: 'casino' }), { key: 'ada' }));
    const { audit } = (await openAfterCrash(path)).moderation.decided;
    expect(audit).to.deep.equal(moderation.decided.audit);
    expect(audit[0]).to.include({ action: 'ban_added', key: 'ada' });
  });

  it('has all bans, however many, and those of before when a crash cuts off the last line', async () => {
    const path = newPath();
    const registry = await openAt(path);
    await broadcastTo(registry, aGameServer());
    const textOfBans = async (at: string): Promise<string> =>
      JSON.stringify((await openAfterCrash(at)).moderation.decided.bans);
    const bans: Ban[] = Array.from({ length: 2000 }, (_, n) =>
      aBan({ name: `*${n} ä*`, reason: 'x'.repeat(99) }),
    );
    await registry.moderation.decide((decided) => ({ ...decided, bans: bans.slice(1) }));
    const size = statSync(path).size;
    await registry.moderation.decide((decided) => ({ ...decided, bans }));
    expect(await textOfBans(path)).to.equal(JSON.stringify(bans));
    expect(await idsOf(await openAfterCrash(path))).to.have.length(1);
    for (const cutAt of [size + 1, size + 100_000, statSync(path).size - 1]) {
      const copy = newPath();
      await copyFile(path, copy);
      await truncate(copy, cutAt);
      expect(await textOfBans(copy)).to.equal(JSON.stringify(bans.slice(1)));
    }
  });

  it('has the tombstones of the last five minutes, and of those before only the latest 10,000', async () => {
    const path = newPath();
    const clock = new ManualClock();
    const leftLine = (id: string, agoMs: number): string =>
      `${JSON.stringify({ is: 'left', id, version: 1000 * (clock.now() - agoMs) })}\n`;
    const others = Array.from({ length: 9_999 }, (_, n) => leftLine(`gone-${n}`, 0));
    await writeFile(path, HEADER + leftLine('oldest', RESUMABLE_US / 1000 + 1000) + others.join(''));
    const registry = await openAt(path, { clock });
    const last = await broadcastTo(registry, aGameServer());
    expect(await registry.broadcast('oldest', aGameServer())).to.equal('unlisted');
    await registry.remove(last, aGameServer().ip);
    await registry.close();
    expect(linesOf(path)).to.have.lengthOf(1 + 10_000);
    const restarted = await openAt(path);
    expect(await restarted.broadcast('oldest', aGameServer())).to.equal('listed');
    expect(await restarted.broadcast('gone-0', aGameServer())).to.equal('unlisted');
  });
});

describe('a data file cut off by a crash', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  it('at any byte of a change holds every change before it', async function () {
    this.timeout(5 * 60_000);
    const path = newPath();
    const registry = await openAt(path);
    const lists: string[] = [];
    const sizes: number[] = [];
    const acknowledged = async (): Promise<void> => {
      sizes.push(statSync(path).size);
      lists.push(await listOf(registry));
    };
    // What is written at the start is in the file by then.
    await broadcastTo(registry, aGameServer());
    await acknowledged();
    const kept = await broadcastTo(registry, aGameServer({ name: '\u{1F3AE} \u4e2d' }));
    await acknowledged();
    await registry.ping(kept, aGameServer({ name: '\u{1F3AE} \u4e2d', players: 9 }));
    await acknowledged();
    await registry.remove(kept, aGameServer().ip);
    await acknowledged();
    const expectWholeAfterCut = async (size: number): Promise<void> => {
      const copy = newPath();
      await copyFile(path, copy);
      await truncate(copy, size);
      let torn = 0;
      const restarted = await openKeptRegistry(copy, { fileEvents: { onTornLine: () => (torn += 1) } });
      const whole = sizes.findLastIndex((each) => each <= size);
      expect(await listOf(restarted)).to.equal(lists[whole]);
      expect(torn).to.equal(size === sizes[whole] ? 0 : 1);
      const id = await broadcastTo(restarted, aGameServer());
      await restarted.close();
      const again = await openAt(copy, { fileEvents: { onTornLine: () => expect.fail('still torn') } });
      expect((await idsOf(again)).at(-1)).to.equal(id);
    };
    // At each byte in a long run; else at every twentieth, and around the end of each line.
    const stride = Math.ceil(20 / runs(1));
    for (let size = sizes[0]!; size <= sizes.at(-1)!; size += 1)
      if (size % stride === 0 || sizes.some((each) => Math.abs(each - size) <= 1))
        await expectWholeAfterCut(size);
  });

  it('in the middle of being replaced holds everything, the old one as well as the new one', async () => {
    const path = newPath();
    const registry = await openAt(path);
    await broadcastTo(registry, aGameServer());
    await writeFile(`${path}.new`, 'half of a li');
    expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    await registry.close();
    expect(await listOf(await openAt(path))).to.equal(await listOf(registry));
  });
});
