/** What Redis and its replicas keep of the players that were seen, also beside older releases and after a loss. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { createGameServerId, MOST_PLAYERS, REACHED } from '../../../src/model/game-server.ts';
import { createKeys } from '../../../src/registry/redis/keys.ts';
import { formatSeen, parseSeen } from '../../../src/registry/redis/follower/seen-field.ts';
import type { Pinged } from '../../../src/registry/redis/scripts/script-replies.ts';
import { aGameServer } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const SEEN = { players: 60, at: 1_700_000_000_000 };
const { recordPrefix } = createKeys('');

describe('the text of players that were seen', () => {
  it('is a few bytes that say the same', () => {
    const seen = fc.record({
      players: fc.integer({ min: 0, max: MOST_PLAYERS }),
      at: fc.integer({ min: 1, max: 9_999_999_999 }).map((seconds) => 1000 * seconds),
    });
    fc.assert(
      fc.property(seen, (each) => {
        expect(parseSeen(formatSeen(each))).to.deep.equal(each);
        expect(formatSeen(each)).to.have.length.below(19);
      }),
    );
    expect(formatSeen(undefined)).to.equal('');
  });

  it('is of GSLS, or counts as none', () => {
    const others = [
      '',
      ' ',
      '7',
      '7 ',
      '-1 1',
      '07 1',
      '1e3 1',
      '1000001 1',
      '1 0',
      '1 1 1',
      '1 1\n',
      '１ 1',
    ];
    for (const text of others) expect(parseSeen(text), text).to.equal(undefined);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect([text, '']).to.include(formatSeen(parseSeen(text)));
      }),
    );
  });
});

needs('redis-server').describe('players that were seen', () => {
  const fixture = useReplicas();
  const id = createGameServerId();

  it('are known to every replica, and come back when Redis has lost them', async () => {
    const [one, other] = [await fixture.open(), await fixture.open()];
    await one.broadcast(id, aGameServer());
    await one.reachability.note(id, aGameServer(), REACHED, SEEN);
    await other.list();
    expect(other.known(id)?.seen).to.deep.equal(SEEN);
    expect(await fixture.client.hget(recordPrefix + id, 'seen')).to.equal('60 1700000000');
    await fixture.client.flushall();
    await until(async () => {
      await other.list().catch(() => undefined);
      return (await fixture.client.hget(recordPrefix + id, 'seen')) === '60 1700000000';
    });
    const late = await fixture.open();
    expect(late.known(id)?.seen).to.deep.equal(SEEN);
  });

  it('come with the reply to a ping in full, and leave Redis with the address', async () => {
    const replica = await fixture.open();
    await replica.broadcast(id, aGameServer());
    await replica.reachability.note(id, aGameServer(), REACHED, SEEN);
    for (const change of [{ players: 61 }, { name: 'Another' }, { port: 9 }]) {
      const reply = (await fixture.scripts().ping(id, aGameServer(change))) as Pinged;
      expect(reply.changed?.seen).to.deep.equal('port' in change ? undefined : SEEN);
    }
    expect(await fixture.client.hexists(recordPrefix + id, 'seen')).to.equal(0);
  });

  it('do not count where an older release has noted that nobody answered, or another program has written', async () => {
    for (const [field, text] of [
      ['reachability', 'no_answer'],
      ['seen', 'sixty'],
    ] as const) {
      await fixture.client.flushall();
      const before = await fixture.open();
      await before.broadcast(id, aGameServer());
      await before.reachability.note(id, aGameServer(), REACHED, SEEN);
      await fixture.client.hset(recordPrefix + id, field, text);
      const { seen, reachability } = (await fixture.open()).known(id)!;
      expect([seen, reachability]).to.deep.equal([undefined, field === 'seen' ? REACHED : text]);
      await before.close();
    }
  });
});
