/** Broadcasts and pings that go to Redis together: what befalls one of them is not the matter of the others. */

import { expect } from 'chai';
import type { Deadlines } from '../../../src/runtime/deadlines.ts';
import type { RedisClient } from '../../../src/registry/redis/connection/create-client.ts';
import { createKeys } from '../../../src/registry/redis/keys.ts';
import { ProcessPaused } from '../../../src/runtime/pulse.ts';
import { createScripts } from '../../../src/registry/redis/scripts/create-scripts.ts';
import { aGameServer } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { PATIENCE_MS, PATIENT } from '../../support/patient.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { expectConsistent } from '../../support/redis-losses.ts';
import { useReplicas } from '../../support/use-replicas.ts';
import { UNKNOWN_CALLER } from '../../../src/registry/registry.ts';

const NUMBER_OF_SHARED_KEYS = createKeys('').shared.length;

/** Refuses every call for more than one record, as a Cluster does while some of them are on another node. */
function createMovingCluster(calls: number[]): RedisClient {
  const client: Record<string, unknown> = {
    defineCommand(command: string) {
      client[command] = async (numberOfKeys: string) => {
        const records = Number(numberOfKeys) - NUMBER_OF_SHARED_KEYS;
        calls.push(records);
        if (records === 1) return [1];
        throw Object.assign(new Error('TRYAGAIN Multiple keys request during rehashing of slot'), {
          name: 'ReplyError',
        });
      };
    },
  };
  return client as unknown as RedisClient;
}

describe('a group that Redis refuses', () => {
  it('is sent one by one', async () => {
    const calls: number[] = [];
    const scripts = createScripts({
      client: createMovingCluster(calls),
      keys: createKeys(''),
      lifetime,
      uniqueAddress: false,
      holdMassExpiry: true,
    });
    const pings = ['a', 'b', 'c'].map((id) => scripts.ping(id, aGameServer()));
    expect((await Promise.all(pings)).map(({ outcome }) => outcome)).to.deep.equal(
      Array(3).fill('refreshed'),
    );
    expect(calls).to.deep.equal([3, 1, 1, 1]);
  });
});

/** What a ping comes to when the process was paused for so long before it is sent. */
async function pingAfter(pauseMs: number, deadlines: Deadlines): Promise<unknown> {
  const client: Record<string, unknown> = {
    defineCommand: (command: string) => (client[command] = async () => [1]),
  };
  const scripts = createScripts({
    client: client as unknown as RedisClient,
    keys: createKeys(''),
    lifetime,
    uniqueAddress: false,
    holdMassExpiry: true,
    deadlines,
  });
  const actualNow = performance.now.bind(performance);
  performance.now = () => actualNow() + pauseMs;
  try {
    return await scripts.ping('id', aGameServer()).then(
      ({ outcome }) => outcome,
      ({ cause }: Error) => cause,
    );
  } finally {
    performance.now = actualNow;
  }
}

describe('a call of a process that was paused', () => {
  it('is sent within the deadline that the registry was given, and not after it', async () => {
    expect(await pingAfter(5000, PATIENT)).to.equal('refreshed');
    expect(await pingAfter(PATIENCE_MS + 1, PATIENT)).to.be.instanceOf(ProcessPaused);
  });
});

needs('redis-server').describe('a group of pings', () => {
  const fixture = useReplicas();

  it('is one call of Redis, within the limit', async () => {
    const registry = await fixture.open();
    const { client } = fixture;
    await registry.ping('none', aGameServer());
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, i) => registry.broadcast(`id-${i}`, aGameServer())),
    );
    expect(made).to.deep.equal(Array(100).fill('listed'));
    await registry.list();
    await client.config('RESETSTAT');
    await Promise.all(made.map((_, i) => registry.ping(`id-${i}`, aGameServer({ players: 5 }))));
    expect(await client.info('commandstats')).to.match(/cmdstat_evalsha:calls=2,/);
  });

  it('has the error of one in that one alone', async () => {
    const registry = await fixture.open();
    const ids = ['a', 'b', 'c'];
    await Promise.all(ids.map((id) => registry.broadcast(id, aGameServer())));
    await fixture.client.set('{gsls}:server:b', 'x');
    const scripts = fixture.scripts();
    const outcomes = await Promise.all(
      ids.map((id) =>
        scripts.ping(id, aGameServer({ players: 5 })).then(
          ({ outcome }) => outcome,
          ({ cause }: Error) => (cause as Error).message.split(' ')[0],
        ),
      ),
    );
    expect(outcomes).to.deep.equal(['refreshed', 'WRONGTYPE', 'refreshed']);
  });

  it('tells each what it is: renewed, changed, of another IP, unknown, removed, revived', async () => {
    const registry = await fixture.open();
    const { clock } = fixture;
    const revived = { port: 6 };
    await registry.broadcast('revived', aGameServer(revived));
    await clock.advance(lifetime.pingIntervalMs);
    for (const [port, id] of ['renewed', 'changed', 'moved', 'foreign', 'removed'].entries())
      await registry.broadcast(id, aGameServer({ port: port + 1 }));
    await registry.remove('removed', aGameServer().ip);
    await clock.advance(lifetime.ttlMs - lifetime.pingIntervalMs);
    const before = await registry.list();
    expect(before.snapshot.count).to.equal(4);
    const pings = [
      registry.ping('renewed', aGameServer({ port: 1 })),
      registry.ping('changed', aGameServer({ port: 2, players: 9 })),
      registry.ping('moved', aGameServer({ port: 9 })),
      registry.ping('foreign', aGameServer({ port: 4, ip: '198.51.100.9' })),
      registry.ping('removed', aGameServer({ port: 5 })),
      registry.ping('revived', aGameServer(revived)),
      registry.ping('unheard-of', aGameServer()),
    ];
    expect(await Promise.all(pings)).to.deep.equal([
      'refreshed',
      'refreshed',
      'refreshed',
      'ip_mismatch',
      'unknown',
      'refreshed',
      'unknown',
    ]);
    const { snapshot } = await registry.list();
    expect(snapshot.count).to.equal(5);
    expect(registry.known('changed')).to.include({ players: 9 });
    expect(registry.known('moved')).to.include({ port: 9 });
  });

  it('publishes each change of players with a version of its own, one after the other', async () => {
    const registry = await fixture.open();
    const ids = ['a', 'b', 'c', 'd'];
    await Promise.all(ids.map((id) => registry.broadcast(id, aGameServer())));
    // Ahead of the clock, and about to count on.
    const last = 2_000_000_999_998;
    for (const each of [last * 1000 + 999, 4_000_000_000_999_998]) {
      await fixture.client.hset('{gsls}:state', 'version', each);
      await registry.list();
      const players = each % 7;
      await Promise.all(ids.map((id) => registry.ping(id, aGameServer({ players }))));
      for (const [i, id] of ids.entries()) {
        const version = String(each + 1 + i);
        expect(await fixture.client.hget(`{gsls}:server:${id}`, 'version')).to.equal(version);
        expect(await fixture.client.zscore('{gsls}:changes', id)).to.equal(version);
        expect(registry.known(id)).to.include({ players, version: Number(version) });
      }
    }
    const { snapshot } = await registry.list();
    expect(snapshot).to.include({ count: 4, players: 4 * (4_000_000_000_999_998 % 7) });
    await expectConsistent(fixture.client);
  });

  it('takes over all that several pings for one entry say, the last one last', async () => {
    const registry = await fixture.open();
    await registry.broadcast('one', aGameServer());
    await registry.broadcast('other', aGameServer({ port: 2 }));
    const said = [{}, { players: 3 }, { players: 4 }, { players: 5, name: 'Renamed' }, { players: 6 }];
    const pings = said.map((each) => registry.ping('one', aGameServer(each)));
    pings.push(registry.ping('other', aGameServer({ port: 2, players: 9 })));
    expect(await Promise.all(pings)).to.deep.equal(Array(6).fill('refreshed'));
    const { snapshot } = await registry.list();
    expect(snapshot.count).to.equal(2);
    expect(said.map(({ players }) => players)).to.include(registry.known('one')!.players);
    expect(registry.known('other')).to.include({ players: 9 });
    await expectConsistent(fixture.client);
  });

  it('renews no entry that has expired, nor brings it back into the list by its players alone', async () => {
    const registry = await fixture.open();
    const { clock, client } = fixture;
    await registry.broadcast('expired', aGameServer());
    const scripts = fixture.scripts();
    const known = registry.known('expired')!;
    await clock.advance(lifetime.ttlMs);
    expect((await registry.list()).snapshot.count).to.equal(0);
    const reply = await scripts.ping('expired', aGameServer({ players: 5 }), UNKNOWN_CALLER, known);
    expect(reply).to.include({ outcome: 'refreshed', wasExpired: true });
    await expectConsistent(client);
  });
});
