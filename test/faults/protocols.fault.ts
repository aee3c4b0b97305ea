/** What three other protocols list outlives Redis and replicas: the same ids, and the same native lists everywhere. */

import { setTimeout as delay } from 'node:timers/promises';
import type { ListedBody } from '../support/builders.ts';
import { UdpPlayer } from '../support/dpmaster/udp-player.ts';
import { freePort } from '../support/free-port.ts';
import { inGroups, numbers } from '../support/in-groups.ts';
import { now } from '../support/load/recorder.ts';
import { endProcesses } from '../support/processes.ts';
import { until } from '../support/until.ts';
import {
  listedAt,
  nativePortsAt,
  openDdnet,
  openDpmaster,
  openLuanti,
  type Announcer,
} from './support/announcers.ts';
import type { Replica } from './support/replica.ts';
import { report } from './support/report.ts';
import { startSetup, type Setup } from './support/setup.ts';
import { ownTime, watchStarved } from './support/starved.ts';
import { endure, type Tried } from './support/trial.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';

/** Of each protocol. */
const GAME_SERVERS = 200;
/** Well below the 15 s of DDNet. */
const ANNOUNCE_INTERVAL_MS = 4000;
/** Long enough for a fault to be felt. */
const DOWN_MS = 1000;
/** A recovery may take so much of its own time. */
const RECOVERS_WITHIN_MS = 3000;

describe('game servers of other protocols', () => {
  let store: SingleRedis;
  let setup: Setup;
  let dpmasterPort: number;
  let announcers: readonly Announcer[];
  let timer: NodeJS.Timeout;
  /** Before the first fault, sorted by id. */
  let listed: string;
  let wantedPorts: string;
  let asked = 0;

  before('600 of them', async () => {
    store = await startSingleRedis(APPEND_ONLY);
    dpmasterPort = await freePort();
    setup = await startSetup({
      store,
      ttlSeconds: 3,
      environment: { GSLS_PROTOCOLS: 'ddnet,luanti', GSLS_DPMASTER_PORT: String(dpmasterPort) },
      environmentAt: (host) => ({ GSLS_DPMASTER_HOST: host }),
    });
    const opened = await inGroups(numbers(GAME_SERVERS), async (n) => [
      await openDdnet(`Teeworlds ${n}`),
      await openLuanti(`Luanti ${n}`),
      await openDpmaster(`Quake ${n}`, dpmasterPort, `127.1.0.${n + 1}`),
    ]);
    announcers = opened.flat();
    await announceAll();
    timer = setInterval(() => void announceAll(), ANNOUNCE_INTERVAL_MS);
    const [first] = setup.replicas;
    await until(async () => (await listedAt(first!))?.length === announcers.length);
    listed = textOf((await listedAt(first!))!);
    wantedPorts = announcers
      .map(({ port }) => port)
      .toSorted((a, b) => a - b)
      .join();
    await Promise.all(setup.replicas.map(untilSame));
  });

  after(async () => {
    clearInterval(timer);
    await Promise.all((announcers ?? []).map((each) => each.close()));
    await setup?.stop();
    await endProcesses();
  });

  it('T32: Redis is emptied under 200 game servers of each of three protocols', () =>
    endure(() =>
      loseNothing('T32: Redis is emptied under 200 game servers of each of three protocols', () =>
        store.client.flushall(),
      ),
    ));

  it('T32: a replica is killed that lists 200 game servers of each of three protocols', () =>
    endure(() =>
      loseNothing('T32: a replica is killed that lists 200 game servers of each of three protocols', () =>
        replace(setup.replicas[0]!),
      ),
    ));

  it('T32: Redis is emptied while a replica of 200 game servers of each protocol is killed', () =>
    endure(() =>
      loseNothing(
        'T32: Redis is emptied while a replica of 200 game servers of each protocol is killed',
        () => Promise.all([replace(setup.replicas[1]!), store.client.flushall()]),
      ),
    ));

  /** At one replica after the other, whether it is there or not. */
  async function announceAll(): Promise<void> {
    asked += 1;
    await inGroups([...announcers.entries()], ([n, each]) =>
      each.announce(setup.replicas[(n + asked) % setup.replicas.length]!),
    );
  }

  async function loseNothing(title: string, breakAndMend: () => Promise<unknown>): Promise<Tried> {
    const lost = new Set<string>();
    const watching = new AbortController();
    const watchers = setup.replicas.map(async (replica) => {
      while (!watching.signal.aborted) {
        const rows = await listedAt(replica);
        const names = new Set(rows?.map(({ name }) => name));
        for (const { name } of rows === undefined ? [] : announcers) if (!names.has(name)) lost.add(name);
        await delay(50);
      }
    });
    await breakAndMend();
    const mendedAt = now();
    const starved = await watchStarved(setup.replicas);
    await until(async () => (await store.client.zcard('{gsls}:servers')) === announcers.length);
    await Promise.all(setup.replicas.map(untilSame));
    const recoveryMs = now() - mendedAt;
    const starvedMs = await starved();
    watching.abort();
    await Promise.all(watchers);
    const reasons = [
      ...(lost.size === 0 ? [] : [`current lists lacked ${lost.size} game servers`]),
      ...(ownTime(recoveryMs, starvedMs) <= RECOVERS_WITHIN_MS
        ? []
        : [`recovered after ${Math.round(recoveryMs)} ms only`]),
      ...setup.replicas.flatMap((replica) => replica.takeMisbehaviour()),
    ];
    const row = { fault: title, errors: '', lost: lost.size, recoveryMs, reasons };
    report(row);
    return { row, stalledMs: starvedMs };
  }

  /** Resolves once the replica lists the same as before, and all of it in the native lists. */
  async function untilSame(replica: Replica): Promise<void> {
    await until(async () => textOf((await listedAt(replica)) ?? []) === listed);
    await until(async () => (await nativePorts(replica)) === wantedPorts);
  }

  async function nativePorts(replica: Replica): Promise<string> {
    const ports = [...(await nativePortsAt(replica)), ...(await dpmasterPortsAt(replica))];
    return ports.toSorted((a, b) => a - b).join();
  }

  /** Each time from another address: what one may ask for is limited. */
  async function dpmasterPortsAt({ host }: Replica): Promise<readonly number[]> {
    asked += 1;
    const client = await UdpPlayer.open(dpmasterPort, host, `127.2.${asked >> 8}.${asked & 255}`);
    const addresses = await client.list('getservers Testing 3 empty full');
    await client.close();
    return addresses.map((address) => Number(address.split(':').at(-1)));
  }
});

/** With ids and registration. */
function textOf(rows: readonly ListedBody[]): string {
  return JSON.stringify(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
}

async function replace(replica: Replica): Promise<void> {
  await replica.kill();
  await delay(DOWN_MS);
  await replica.start();
}
