/** The player log: followers read it instead of records, and lose nothing when it is not what they need. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { parsePlayerLog } from '../../../src/registry/redis/follower/player-log.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aGameServer, textOf } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { runs } from '../../support/runs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const listOf = async (registry: RedisRegistry): Promise<string> => textOf(await registry.list());
const idsUpTo = (count: number): string[] => Array.from({ length: count }, (_, i) => `id-${i}`);

const LOG = '{gsls}:player-log';
const MIB = 2 ** 20;

describe('a part of the player log', () => {
  it('is read as far as each line follows on the one before', () => {
    const lines = '10 a 3 11\n11 b 0 12\n13 c 4 14\n';
    expect(parsePlayerLog(lines, 10)).to.deep.equal({
      changes: [
        { id: 'a', players: 3, version: 11 },
        { id: 'b', players: 0, version: 12 },
      ],
      upto: 12,
    });
    expect(parsePlayerLog(lines, 9)).to.deep.equal({ changes: [], upto: 9 });
  });

  for (const line of [
    '10 a x 11',
    '10 a -1 11',
    '10 a 1.5 11',
    '10 a 3 10',
    '10 a 3 x',
    '10 a',
    '',
    'x\u0000',
  ])
    it(`is not believed where it says "${line}"`, () => {
      expect(parsePlayerLog(`${line}\n11 b 1 12\n`, 10)).to.deep.equal({ changes: [], upto: 10 });
    });
});

needs('redis-server').describe('the player log', () => {
  const fixture = useReplicas();
  let client: Redis;

  beforeEach(() => {
    ({ client } = fixture);
  });

  it('loses its older half when it is long, and gives a follower the newer one', async () => {
    const [writer, follower] = [await fixture.open(), await fixture.open()];
    const ids = idsUpTo(100).map((id) => id.padEnd(500, '-'));
    await Promise.all(ids.map((id) => writer.broadcast(id, aGameServer())));
    await Promise.all([writer.list(), follower.list()]);
    let start = 0;
    for (let round = 1; start === 0; round += 1) {
      for (let players = 0; players < 8; players += 1)
        await Promise.all(ids.map((id) => writer.ping(id, aGameServer({ players: 8 * round + players }))));
      expect(await client.strlen(LOG)).to.be.at.most(MIB);
      start = Number(await client.hget('{gsls}:state', 'playerLogStart'));
      await client.config('RESETSTAT');
      const list = await listOf(follower);
      // Of hashes only the state is read.
      expect(await client.info('commandstats')).to.match(/cmdstat_hmget:calls=2,/);
      expect(list).to.equal(await listOf(writer));
    }
    expect(start).to.be.above(MIB / 2 - 1000);
  });

  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('players' as const), n: fc.nat({ max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('name' as const), n: fc.nat({ max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), n: fc.nat({ max: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const), n: fc.nat({ max: 1 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('lose', 'cut', 'garble', 'replace', 'forget'),
        n: fc.nat({ max: 90 }),
      }),
    },
  );

  async function damageLog(kind: string, n: number): Promise<void> {
    if (kind === 'lose') await client.del(LOG);
    else if (kind === 'cut') await client.set(LOG, ((await client.get(LOG).catch(() => '')) ?? '').slice(n));
    else if (kind === 'garble') await client.setrange(LOG, n, ' 7\n').catch(() => undefined);
    else if (kind === 'replace') await client.multi().del(LOG).lpush(LOG, 'x').exec();
    else await client.hset('{gsls}:state', 'playerLogStart', n - 45);
  }

  it('whatever becomes of it, leaves the lists of all replicas the same, and reloads none', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        await client.flushall();
        const reloads: string[] = [];
        const events = { onReload: (reason: string) => reloads.push(reason) };
        const replicas = [await fixture.open({ events }), await fixture.open({ events })];
        for (let n = 0; n < 5; n += 1) await replicas[0]!.broadcast(`id-${n}`, aGameServer({ port: n + 1 }));
        for (const [count, { kind, n }] of steps.entries()) {
          fixture.clock.jump(1);
          const [writer, id] = [replicas[count % 2]!, `id-${n}`];
          if (kind === 'players') await writer.ping(id, aGameServer({ port: n + 1, players: count + 1 }));
          else if (kind === 'name')
            await writer.ping(id, aGameServer({ port: n + 1, name: `Name ${count}` }));
          else if (kind === 'remove') await writer.remove(id, aGameServer().ip);
          else if (kind === 'look') await replicas[n]!.list();
          else await damageLog(kind, n);
        }
        const joined = await fixture.open();
        const expected = await listOf(joined);
        for (const replica of replicas) expect(await listOf(replica)).to.equal(expected);
        expect(reloads).to.deep.equal([]);
        await Promise.all([...replicas, joined].map((each) => each.close()));
      }),
      { numRuns: runs(12) },
    );
  });
});
