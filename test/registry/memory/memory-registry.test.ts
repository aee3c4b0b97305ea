import { expect } from 'chai';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { aGameServer, broadcastTo, textOf } from '../../support/builders.ts';
import { describeRegistry } from '../../support/describe-registry.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describeRegistry('memory', async (options) => new MemoryRegistry({ lifetime, ...options }));

describe('the hold of a mass expiry in memory', () => {
  it('does not last longer because the clock went back', async () => {
    const clock = new ManualClock();
    const registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock });
    for (let i = 0; i < 60; i += 1) await broadcastTo(registry, aGameServer());
    await clock.advance(2 * lifetime.ttlMs);
    clock.jump(-3_600_000);
    await clock.advance(lifetime.ttlMs + lifetime.longestHoldMs + lifetime.sweepIntervalMs);
    expect((await registry.list()).snapshot.count).to.equal(0);
    await registry.close();
  });
});

describe('a registry in memory whose clock goes wrong', () => {
  it('lists every change after the clock was at the largest time there is', async () => {
    const clock = new ManualClock();
    const registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock });
    const id = await broadcastTo(registry, aGameServer());
    const now = clock.now();
    clock.jump(8.64e15 - now);
    for (let players = 1; players <= 2; players += 1) {
      await registry.ping(id, aGameServer({ players }));
      expect(await textOf(await registry.list())).to.include(`"players":${players}`);
      clock.jump(now - clock.now());
    }
    await registry.close();
  });

  it('revives entries that expired while the clock was ahead no longer than usual', async () => {
    const clock = new ManualClock();
    const registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock });
    clock.jump(365 * 24 * 3_600_000);
    const id = await broadcastTo(registry, aGameServer());
    await clock.advance(3 * lifetime.ttlMs);
    expect((await registry.list()).snapshot.count).to.equal(0);
    clock.jump(-365 * 24 * 3_600_000);
    await clock.advance(lifetime.reviveWindowMs + lifetime.sweepIntervalMs);
    expect(await registry.ping(id, aGameServer())).to.equal('unknown');
    await registry.close();
  });
});
