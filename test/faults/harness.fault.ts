/** The checks themselves: they find every fault that is made behind the back of the service, or to it. */

import { expect } from 'chai';
import { until } from '../support/until.ts';
import { Checker } from '../support/load/checker.ts';
import { Recorder, type GameServerHistory, type Operation } from '../support/load/recorder.ts';
import { ask } from '../support/ask.ts';
import { useServices } from '../support/use-services.ts';
import { INTRUDED, startIntruders } from './support/intruders.ts';
import { ADMIN_KEY } from './support/moderator.ts';
import type { Replica } from './support/replica.ts';
import { startSetup } from './support/setup.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import { ownTime } from './support/starved.ts';
import { tryFault, useSetupUnderLoad } from './support/trial.ts';

const TTL_MS = 3000;
const FLEET = 60;
/** Three owners, and three entries of the spammer. */
const INTRUDERS_LISTED = 6;

describe('the own time of a recovery', () => {
  it('is without the wait for a core, but never less than half of it', () => {
    expect(ownTime(1200, 300)).to.equal(900);
    expect(ownTime(2200, 2000)).to.equal(1100);
    expect(ownTime(900, 0)).to.equal(900);
  });
});

describe('the checker', () => {
  let recorder: Recorder;
  let checker: Checker;
  let server: GameServerHistory;

  beforeEach(() => {
    recorder = new Recorder();
    checker = new Checker(recorder, TTL_MS);
    server = listed('a', 1000);
  });

  it('accepts a list with every acknowledged entry', () => {
    expect(check(2000, [entry('a')])).to.equal(true);
    expect(checker.reasons).to.deep.equal([]);
  });

  it('misses an entry that keeps pinging, however long ago its last answer was', () => {
    expect(check(60_000, [])).to.equal(false);
    expectComplaint('a current list is empty');
    expect(checker.lost).to.equal(1);
  });

  it('misses no entry in a stale list from before the acknowledgement', () => {
    expect(check(2500, [], { staleSeconds: 2 })).to.equal(true);
    expect(check(3500, [], { staleSeconds: 2 })).to.equal(false);
    expectComplaint('a stale list is empty');
  });

  it('misses a silent entry only until the TTL is over', () => {
    server.keepsPinging = false;
    expect(check(3900, [])).to.equal(false);
    expect(check(4100, [])).to.equal(true);
  });

  it('notices silent entries that stay, but grants one TTL more after an outage', () => {
    server.keepsPinging = false;
    check(5900, [entry('a')]);
    expect(checker.reasons).to.deep.equal([]);
    recorder.outages.push({ from: 2000, to: 8000, losesData: false });
    check(12_900, [entry('a')]);
    expect(checker.reasons).to.deep.equal([]);
    check(13_100, [entry('a')]);
    expectComplaint('a silent game server is still listed');
  });

  it('notices entries that come back, expired or removed', () => {
    server.keepsPinging = false;
    check(4100, []);
    check(4200, [entry('a')]);
    expectComplaint('a game server that was gone is listed again');
    checker.reset();
    server.removedAt = 4300;
    check(4400, [entry('a')]);
    expectComplaint('a removed game server is listed');
  });

  it('notices ids and broadcasts that are listed twice, other ids, strangers and other players', () => {
    check(2000, [entry('a'), entry('a')]);
    expectComplaint('an id is in a list twice');
    check(2000, [entry('a'), { ...entry('a'), id: 'other' }]);
    expectComplaint('one broadcast is in a list twice');
    expectComplaint('a game server is listed under another id');
    check(2000, [entry('a'), entry('stranger')]);
    expectComplaint('a list shows an entry that no client sent');
    check(2000, [{ ...entry('a'), players: 7 }]);
    expectComplaint('a list shows other players than were acknowledged');
  });

  it('accepts the players of a ping that is under way', () => {
    server.renewing(7, 1990);
    check(2000, [{ ...entry('a'), players: 7 }]);
    check(2000, [entry('a')]);
    expect(checker.reasons).to.deep.equal([]);
  });

  it('notices other bytes under the same tag', () => {
    check(2000, [entry('a')], { etag: '"1"' });
    check(2000, [entry('a')], { etag: '"1"' });
    expect(checker.reasons).to.deep.equal([]);
    listed('b', 3000);
    check(2000, [entry('a'), entry('b')], { etag: '"1"' });
    expectComplaint('lists with the same ETag differ');
  });

  it('notices attacks on claimed entries that succeed, and refusals of owners', () => {
    checker.checkAttack(server, 'ping', 200, 1500);
    server.claimedSince = 1400;
    checker.checkAttack(server, 'ping', 403, 1500);
    checker.checkAttack(server, 'ping', 200, 1300);
    expect(checker.reasons).to.deep.equal([]);
    checker.checkAttack(server, 'ping', 200, 1500);
    expectComplaint('an attack on a claimed entry succeeded');
    checker.noteRefused(server, 'ping', { text: 'not_owner' });
    expectComplaint('the ping of a game server to its own entry met 403');
  });

  it('notices banned entries that are shown a second later, and misses them once the ban is lifted', () => {
    const ban = { sentAt: 1900, addedAt: 2000, liftSentAt: Infinity, liftedAt: Infinity };
    server.bans.push(ban);
    for (const at of [1950, 2500]) {
      expect(check(at, [entry('a')])).to.equal(true);
      expect(check(at, [])).to.equal(true);
    }
    expect(checker.reasons).to.deep.equal([]);
    check(3500, [entry('a')]);
    expectComplaint('a banned game server is listed');
    Object.assign(ban, { liftSentAt: 4000, liftedAt: 4100 });
    expect(check(5000, [])).to.equal(true);
    expect(check(5200, [])).to.equal(false);
    expectComplaint('a current list is empty');
  });

  it('takes no silent entry for gone while a ban hides it', () => {
    server.keepsPinging = false;
    server.bans.push({ sentAt: 1900, addedAt: 2000, liftSentAt: 4150, liftedAt: 4200 });
    recorder.outages.push({ from: 2000, to: 3000, losesData: false });
    check(4100, []);
    check(5300, [entry('a')]);
    expect(checker.reasons).to.deep.equal([]);
  });

  function listed(name: string, answeredAt: number): GameServerHistory {
    const history = recorder.begin(name);
    const renewal = history.renewing(0, answeredAt);
    const operation = { kind: 'broadcast', target: 'haproxy', outcome: '200', stale: false } as const;
    history.renewed(renewal, { ...operation, sentAt: answeredAt, answeredAt });
    history.id = `id of ${name}`;
    history.listedSince = answeredAt;
    recorder.listed.add(history);
    return history;
  }

  let tags = 0;
  function check(
    at: number,
    servers: readonly object[],
    { staleSeconds, etag = `"${(tags += 1)}"` }: { staleSeconds?: number; etag?: string } = {},
  ): boolean {
    const operation: Operation = {
      kind: 'list',
      target: 'haproxy',
      sentAt: at,
      answeredAt: at,
      outcome: '200',
      stale: staleSeconds !== undefined,
      answer: {
        status: 200,
        headers: { etag, ...(staleSeconds !== undefined && { age: String(staleSeconds) }) },
        text: JSON.stringify({ servers, count: servers.length }),
      },
    };
    return checker.check(operation);
  }

  function expectComplaint(what: string): void {
    expect(checker.reasons.join('\n')).to.include(what);
  }
});

describe('a trial', () => {
  let redis: SingleRedis;
  const underLoad = useSetupUnderLoad(
    async () => {
      redis = await startSingleRedis(APPEND_ONLY);
      return startSetup({ store: redis, ttlSeconds: TTL_MS / 1000 });
    },
    { fleet: FLEET },
  );

  it('finds nothing where nothing happens', async () => {
    const { reasons, errors } = await tryFault('nothing', underLoad(), {
      store: 'stays',
      breakAndMend: async () => undefined,
    });
    expect(reasons).to.deep.equal([]);
    expect(errors).to.equal('');
  });

  it('finds what is done behind the back of the service', async () => {
    const row = await tryFault('sabotage', underLoad(), {
      store: 'stays',
      async breakAndMend({ setup, load, recorder }) {
        const victim = [...recorder.listed].find(
          ({ keepsPinging, claimedSince }) => keepsPinging && claimedSince === Infinity,
        )!;
        const fields = { server_id: victim.id, server_ip: '203.0.113.7' };
        const reconnect = load.cutOff(FLEET);
        await ask(setup.front, 'POST /remove', { body: fields, giveUpAfterMs: 10_000 });
        expect((await load.list(setup.front, 'haproxy')).complete).to.equal(false);
        reconnect();
        // Long enough to be over more than a second after a list has shown it, also on a busy machine.
        await redis.client.call('CLIENT', 'PAUSE', '4000', 'ALL');
        await until(async () => (await load.list(setup.front, 'haproxy')).operation.stale);
      },
      async moreReasons() {
        await redis.client.set('{gsls}:stray', '');
        // Other damage the service mends by itself; this is mended only by the next ping of each entry.
        for (const { id } of underLoad().recorder.listed)
          await redis.client.hset(`{gsls}:server:${id}`, 'name', 'x');
        return [];
      },
    });
    expect(row.lost).to.be.at.least(1);
    expect(row.recoveryMs).to.be.above(1000);
    const reasons = row.reasons.join('\n');
    for (const reason of [
      'recovered later than',
      'clients met errors: ',
      '1 keys are none of ours',
      'records differ from the list',
      'the ping of a game server that had kept pinging met an unknown id',
      'a current list lacks an acknowledged game server',
    ])
      expect(reasons).to.include(reason);
  });

  it('finds a replica that ends by itself', async () => {
    const [replica] = underLoad().setup.replicas;
    expect(replica!.takeMisbehaviour()).to.deep.equal([]);
    process.kill(replica!.pid, 'SIGKILL');
    await until(() => replica!.takeMisbehaviour().includes(`replica ${replica!.host} ended unasked`));
  });
});

describe('the intruders', () => {
  const services = useServices(() => ({ ...INTRUDED, GSLS_ADMIN_KEY: ADMIN_KEY }));

  it('leave nothing behind that falls silent when they go on at other addresses', async () => {
    const service = await services.start();
    const intruders = await startIntruders({ serving: [service as unknown as Replica] }, new Recorder());
    const names = async (): Promise<readonly string[]> =>
      (await ask(service, 'GET /')).body.servers!.map(({ name }) => name);
    await until(async () => (await names()).length === INTRUDERS_LISTED);
    const before = await names();
    intruders.pause();
    intruders.resume();
    await until(async () => {
      const after = await names();
      return after.length === INTRUDERS_LISTED && !after.some((name) => before.includes(name));
    });
    await intruders.stop();
    expect(intruders.takeGains()).to.deep.equal([]);
  });
});

function entry(name: string): Record<string, unknown> {
  return { id: `id of ${name}`, host: 'h', name, port: 1, ip: '1.2.3.4', players: 0, max_players: 1 };
}
