/** The reports of readers in Redis: those of all replicas in one hash, whatever else befalls it. */

import { expect } from 'chai';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import {
  formatVoices,
  MOST_IN_ALL,
  MOST_OF_ONE,
  VOICE_LIFE_MS,
  type Voice,
} from '../../../src/registry/reports/voices.ts';
import { needs } from '../../support/needs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const KEY = '{gsls}:reports';
/** A replica asks for what others have stored once it knows its copy for so long. */
const COPY_MS = 2000;

async function seen(registry: RedisRegistry): Promise<Readonly<Record<string, number>>> {
  return Object.fromEntries([...(await registry.reports.all())].map(([id, { length }]) => [id, length]));
}

needs('redis-server').describe('the reports in Redis', () => {
  const fixture = useReplicas();
  const voice = (network: string): Voice => ({ network, reason: 'spam', at: fixture.clock.now() });

  it('of several replicas at once are all kept, and all replicas see them', async () => {
    const replicas = await Promise.all([fixture.open(), fixture.open(), fixture.open()]);
    await Promise.all(
      replicas.flatMap(({ reports }, r) =>
        Array.from({ length: 20 }, (_, n) => reports.add('a', voice(`network ${r} ${n}`))),
      ),
    );
    await fixture.clock.advance(COPY_MS);
    for (const each of replicas) expect(await seen(each)).to.deep.equal({ a: 60 });
    await Promise.all(replicas.map(({ reports }) => reports.dismiss('a')));
    await fixture.clock.advance(COPY_MS);
    for (const each of replicas) expect(await seen(each)).to.deep.equal({});
    expect(await fixture.client.exists(KEY)).to.equal(0);
  });

  it('are bounded in all: the least reported entries lose theirs', async () => {
    const registry = await fixture.open();
    const many = Array.from({ length: MOST_OF_ONE }, (_, n) => voice(`network ${n}`));
    const full = Array.from({ length: Math.floor(MOST_IN_ALL / MOST_OF_ONE) }, (_, n) => `full ${n}`);
    await fixture.client.hset(KEY, Object.fromEntries(full.map((id) => [id, formatVoices(many)])));
    const rest = many.slice(0, MOST_IN_ALL % MOST_OF_ONE);
    await fixture.client.hset(KEY, 'few', formatVoices(rest));
    await registry.reports.add('new', voice('one'));
    const left = await seen(registry);
    expect(left).to.not.have.property('new');
    expect(Object.keys(left)).to.have.members([...full, 'few']);
    await registry.reports.add('few', voice('another'));
    expect(Object.keys(await seen(registry))).to.have.members(full);
    // The whole hash at its largest, as Redis counts it.
    expect(await fixture.client.memory('USAGE', KEY, 'SAMPLES', 0)).to.be.below(2 * 1_048_576);
  });

  it('go with their key once nobody has reported anything for a week', async () => {
    const registry = await fixture.open();
    await registry.reports.add('a', voice('one'));
    expect(await fixture.client.pttl(KEY)).to.be.within(VOICE_LIFE_MS - 60_000, VOICE_LIFE_MS);
  });

  it('begin anew if another program has put something else there, and go on after a loss', async () => {
    const registry = await fixture.open();
    for (const damage of [
      () => fixture.client.set(KEY, 'text'),
      () => fixture.client.lpush(KEY, 'x'),
      () => fixture.client.hset(KEY, 'a', '{"no": "voices"}', 'b', Buffer.from([0xff, 0xfe, 0x5b])),
      () => fixture.client.flushall(),
    ]) {
      await fixture.client.del(KEY);
      await damage();
      await fixture.clock.advance(COPY_MS);
      expect(await seen(registry)).to.deep.equal({});
      expect(await registry.reports.add('a', voice('one'))).to.deep.equal([voice('one')]);
      await fixture.clock.advance(COPY_MS);
      expect(await seen(registry)).to.deep.equal({ a: 1 });
    }
  });
});
