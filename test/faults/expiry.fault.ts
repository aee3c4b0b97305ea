/** Many entries are due at once: each expires once, however many replicas sweep, and a mass expiry is held. */

import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses } from '../support/processes.ts';
import { jsonOf, openRawConnection, plainRequest } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';
import { now } from '../support/load/recorder.ts';
import { report } from './support/report.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import type { LogLine } from './support/replica.ts';
import { startSetup, type Setup } from './support/setup.ts';
import { itEndures, useSetupUnderLoad } from './support/trial.ts';

const TTL_MS = 3000;
/** "At most 5 × TTL", where that is less than 5 minutes. */
const LONGEST_HOLD_MS = 5 * TTL_MS;
/** Logged as an error. */
const HOLD = /"msg":"most game servers stopped pinging/;
const SWEPT_WITHIN_MS = 2000;
/** A hold lasts this long at least. */
const SHORTEST_HOLD_MS = 2 * TTL_MS;

describe('three replicas that sweep', function () {
  const DUE = 5000;
  const CLIENTS = 12;
  let redis: SingleRedis;
  let setup: Setup;

  before(async () => {
    redis = await startSingleRedis(APPEND_ONLY);
    setup = await startSetup({
      store: redis,
      ttlSeconds: TTL_MS / 1000,
      environment: { GSLS_NO_MASS_EXPIRY_HOLD: 'true' },
    });
  });

  after(async () => {
    await setup?.stop();
    await endProcesses();
  });

  it('T19: 5,000 game servers are due at the same time', async () => {
    const ids = (
      await Promise.all(Array.from({ length: CLIENTS }, (_, index) => broadcastShare(index)))
    ).flat();
    const dueAt = (await redisTimeMs()) + 1000;
    await redis.client.zadd('{gsls}:servers', 'XX', ...ids.flatMap((id) => [dueAt, id]));
    const from = now();
    await until(async () => (await redis.client.zcard('{gsls}:servers')) === 0);
    const tookMs = now() - from - 1000;
    const swept = await until(() => countExpired() >= DUE).then(countExpired);

    const tombstones = await redis.client.zrange('{gsls}:removed', 0, -1, 'WITHSCORES');
    const versions = new Set(tombstones.filter((_, index) => index % 2 === 1));
    const shares = setup.replicas.map((each) => expiredBy(each.log)).join(' + ');
    const reasons = [
      ...(swept === DUE ? [] : [`the replicas swept ${swept}`]),
      ...(versions.size === DUE && tombstones.length === 2 * DUE ? [] : ['not each has its own tombstone']),
      ...setup.replicas.flatMap((replica) => replica.takeMisbehaviour()),
    ];
    report({
      fault: 'T19: 5,000 game servers are due at the same time',
      errors: '',
      lost: 0,
      notes: [`swept ${shares}, gone after ${(tookMs / 1000).toFixed(1)} s`],
      reasons,
    });
    expect(reasons).to.deep.equal([]);
  });

  async function broadcastShare(client: number): Promise<string[]> {
    const connection = await openRawConnection(setup.replicas[client % setup.replicas.length]!);
    const ids: string[] = [];
    for (let i = client; i < DUE; i += CLIENTS) {
      const broadcast = plainRequest('POST /broadcast', {
        server_host: 'game.example.com',
        server_name: `due ${i}`,
        server_port: 7777,
        server_ip: '203.0.113.7',
        players: 0,
        max_players: 16,
      });
      ids.push(String(jsonOf(await connection.send(broadcast).answer())['server_id']));
    }
    connection.destroy();
    return ids;
  }

  async function redisTimeMs(): Promise<number> {
    const [seconds, microseconds] = await redis.client.time();
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  }

  function countExpired(): number {
    return setup.replicas.reduce((sum, { log }) => sum + expiredBy(log), 0);
  }
});

describe('a mass expiry', () => {
  describe('of a registry of 300', () => {
    const FLEET = 300;
    const SILENT = 240;
    const underLoad = useSetupUnderLoad(openSetup, { fleet: FLEET, broadcastsPerSecond: 0 });

    itEndures('T21: the pings of 80 % are lost for a while', underLoad, {
      store: 'stays',
      expectedLog: HOLD,
      async breakAndMend({ load }) {
        const reconnect = load.cutOff(SILENT);
        await delay(TTL_MS + SHORTEST_HOLD_MS);
        reconnect();
      },
    });

    let goneAfterMs = 0;
    let goneEarly = false;
    itEndures('T21: 80 % stop pinging for good', underLoad, {
      store: 'stays',
      expectedLog: HOLD,
      async breakAndMend({ setup, load, recorder }) {
        const hold = recorder.beginOutage(false);
        const from = now();
        hold.to = from + LONGEST_HOLD_MS;
        load.silence(SILENT);
        const limit = from + TTL_MS + LONGEST_HOLD_MS + SWEPT_WITHIN_MS;
        let listed = FLEET;
        while (listed === FLEET && now() < limit) {
          const { operation } = await load.list(setup.replicas[0]!, setup.replicas[0]!.host);
          listed = Number(/"count":(\d+)\}$/.exec(operation.answer?.text ?? '')?.[1]);
        }
        goneAfterMs = now() - from;
        goneEarly = goneAfterMs < TTL_MS + SHORTEST_HOLD_MS;
      },
      moreReasons: () => (goneEarly ? ['their expiry was not held'] : []),
      notes: () => [`they began to leave after ${(goneAfterMs / 1000).toFixed(1)} s`],
    });
  });

  describe('of a registry of 10', () => {
    const underLoad = useSetupUnderLoad(openSetup, { fleet: 10, broadcastsPerSecond: 0 });

    itEndures('T21: 8 of 10 stop pinging for good', underLoad, {
      store: 'stays',
      async breakAndMend({ load }) {
        load.silence(8);
      },
    });
  });
});

function expiredBy(log: readonly LogLine[]): number {
  return log
    .filter(({ msg }) => msg === 'game servers expired')
    .reduce((sum, line) => sum + (line['count'] as number), 0);
}

async function openSetup(): Promise<Setup> {
  return startSetup({ store: await startSingleRedis(APPEND_ONLY), ttlSeconds: TTL_MS / 1000 });
}
