/** What the doctor says while the registry is away: what it knows, and that it may be old. */

import { expect } from 'chai';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { ServiceError } from '../../../src/model/service-error.ts';
import type { Backend } from '../../../src/registry/backend.ts';
import { ask } from '../../support/ask.ts';
import { askDoctor, bodyOf, HOME, openStage, type Stage } from '../../support/doctor-stages.ts';
import { freePort } from '../../support/free-port.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';

const away = (): Promise<never> => Promise.reject(new ServiceError('registry_unavailable'));

/** What a replica with a copy of the list still does without Redis. */
function withoutRedis(registry: MemoryRegistry): void {
  const list = registry.list.bind(registry);
  const still: Partial<Backend> = {
    list: async () => ({ ...(await list()), staleSince: Date.now() }),
    fates: { of: away, expiredOf: away },
    entries: away,
  };
  Object.assign(registry, still);
}

describe('the doctor of a replica without its registry', () => {
  let stage: Stage;
  let registry: MemoryRegistry;
  const open = async (): Promise<void> => {
    const clock = new ManualClock(Date.now());
    stage = await openStage({
      clock,
      open: async (rules) => (registry = new MemoryRegistry({ lifetime, clock, ...rules })),
    });
  };
  afterEach(() => stage?.close());

  it('says so, also before it has had a list', async () => {
    const nowhere = { GSLS_REDIS: `redis://127.0.0.1:${await freePort()}` };
    const service = await startTestService(nowhere, silentLogger, { ...DEADLINES, retryMs: 0 });
    const { status, text } = await ask(service, 'POST /doctor', { body: { server_port: 7777 } });
    await service.close();
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.include({ cause: 'registry_unavailable', listed: false });
  });

  it('still finds what the last list shows, and says that it may be old', async () => {
    await open();
    const { headers } = await stage.broadcast({}, { 'Server-Token': 'claim' });
    withoutRedis(registry);
    const token = String(headers['server-token']);
    const { cause, checks, entry } = bodyOf(await askDoctor(stage, { port: 7777, token }));
    expect(cause).to.equal('listed');
    expect(entry).to.not.have.property('expires_at');
    expect(checks.at(-1)).to.include({ code: 'registry', result: 'wrong' });
  });

  it('says why a registry refuses writes that can be read, and blames a missing entry on that', async () => {
    const clock = new ManualClock(Date.now());
    const refusal = { reason: 'out_of_memory', says: 'its memory is full', message: 'whatever' };
    let refused: typeof refusal | undefined = refusal;
    stage = await openStage({
      clock,
      open: async (rules) => new MemoryRegistry({ lifetime, clock, ...rules }),
      whyRefused: () => refused,
    });
    const { cause, checks } = bodyOf(await askDoctor(stage, { port: 7777 }));
    expect(cause).to.equal('registry_unavailable');
    expect(checks.at(-1)).to.deep.equal({
      code: 'registry',
      result: 'wrong',
      says: 'the list is current, but the registry refuses writes: its memory is full',
    });
    refused = undefined;
    const healthy = bodyOf(await askDoctor(stage, { port: 7777 }));
    expect(healthy.cause).to.equal('unknown');
    expect(healthy.checks.at(-1)).to.include({ code: 'registry', result: 'fine' });
  });

  it('does not take a game server for unknown that it may have missed', async () => {
    await open();
    withoutRedis(registry);
    const { cause, client_address } = bodyOf(await askDoctor(stage, { port: 7777 }));
    expect([cause, client_address]).to.deep.equal(['registry_unavailable', HOME]);
  });
});
