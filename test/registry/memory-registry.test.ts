import { expect } from 'chai';
import { MemoryRegistry } from '../../src/registry/memory-registry.ts';
import { aGameServer, broadcastTo } from '../support/builders.ts';
import { describeRegistry, lifetime } from '../support/describe-registry.ts';
import { ManualClock } from '../support/manual-clock.ts';

describeRegistry('memory', async (options) => new MemoryRegistry({ lifetime, ...options }));

describe('a mass silence in a registry in memory', () => {
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
