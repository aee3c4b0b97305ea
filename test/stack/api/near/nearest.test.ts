/**
 * Nearest first, whole: 12 beacons, 400 game servers that `gsls announce` keeps listed in 40 cities, and 50 readers, on
 * the round trips of the internet. `near_ms` and the order are held against the true round trips.
 */

import { expect } from 'chai';
import { nearest } from '../../../../clients/typescript/src/beacons/nearest.ts';
import { systemEnvironment } from '../../../../clients/typescript/src/environment.ts';
import type { Service } from '../../../../src/service/service.ts';
import { createAnnouncing, type Sidecar } from '../../../../src/tools/announce/announcing.ts';
import { CITIES, roundTrip } from '../../../support/round-trips.ts';
import { silentLogger, startTestService } from '../../../support/start-test-service.ts';
import { startRedisServer, type RedisServer } from '../../../support/redis-server.ts';
import { until } from '../../../support/until.ts';
import { aSettings } from '../../../tools/announce/support/simulation.ts';
import { Ears, Relays } from './world.ts';

const SERVERS_IN_A_CITY = 10;
const READERS = 50;

interface Told {
  readonly ms: number;
  readonly true: number;
}

describe('the nearest of 400 game servers in 40 cities', function () {
  this.timeout(180_000);
  const relays = new Relays();
  const ears = new Ears();
  const sidecars: Sidecar[] = [];
  let redis: RedisServer;
  let services: readonly Service[];
  let told: readonly (readonly Told[])[];

  before(async () => {
    await relays.open();
    redis = await startRedisServer();
    const environment = {
      GSLS_REDIS: redis.url,
      GSLS_HOST: '0.0.0.0',
      GSLS_TTL: '6',
      GSLS_NO_PAGE: 'true',
      GSLS_BEACONS: JSON.stringify(Object.fromEntries(relays.beacons.map(({ id, ...said }) => [id, said]))),
    };
    services = [await startTestService(environment), await startTestService(environment)];
    for (const city of CITIES) sidecars.push(await announceFrom(city));
    for (const sidecar of sidecars) sidecar.start();
    await until(async () => (await latencies()) === CITIES.length * SERVERS_IN_A_CITY);
    told = await Promise.all(
      Array.from({ length: READERS }, (_, n) => readFrom(CITIES[n % CITIES.length]!, n)),
    );
  });

  after(async () => {
    for (const sidecar of sidecars) await sidecar.close(500);
    await Promise.all(services.map((service) => service.close()));
    await redis.stop();
    await relays.close();
    ears.close();
  });

  const portOf = (n: number): string => new URL(services[n % services.length]!.url).port;

  async function announceFrom(city: string): Promise<Sidecar> {
    const machine = relays.machineIn(city, `127.1.0.${1 + CITIES.indexOf(city)}`);
    const gameServers = Array.from({ length: SERVERS_IN_A_CITY }, (_, n) => ({
      ...aSettings({ name: city, port: 7000 + n, ip: machine.address }),
      services: [{ url: `http://127.0.0.1:${portOf(CITIES.indexOf(city))}`, key: undefined }],
      identity: `${city} ${n}`,
    }));
    for (const { port } of gameServers) await ears.listen(machine.address, port);
    return createAnnouncing({
      gameServers,
      openSource: () => ({
        read: async () => ({ is: 'told', state: { players: 3, maxPlayers: 16 } }),
        close: () => undefined,
      }),
      tokenFileOf: () => undefined,
      keepsIds: false,
      measures: true,
      addressesOf: async () => [],
      environment: { ...systemEnvironment, ...machine.environment },
      logger: silentLogger,
    });
  }

  /** How many entries say how far a beacon is. */
  async function latencies(): Promise<number> {
    const answer = await fetch(`${services[0]!.url}/servers?near=fra:0&near=0..&limit=1`);
    return ((await answer.json()) as { total: number }).total;
  }

  /** Each reader has an address of the service to itself, as one process measures once for each. */
  async function readFrom(city: string, n: number): Promise<readonly Told[]> {
    const { environment } = relays.machineIn(city, `127.1.1.${1 + n}`);
    const { servers } = await nearest(`http://127.2.0.${1 + n}:${portOf(n)}`, '', { environment });
    expect(servers).to.have.lengthOf(CITIES.length * SERVERS_IN_A_CITY);
    return servers
      .filter(({ name }) => name !== city)
      .map(({ name, near_ms: ms }) => ({ ms: ms!, true: roundTrip(city, name) }));
  }

  it('is told with a median error of at most 15 %', function () {
    const errors = told
      .flat()
      .map((each) => Math.abs(each.ms - each.true) / each.true)
      .toSorted((a, b) => a - b);
    const median = errors[errors.length >> 1]!;
    this.test!.title += ` (it was ${(100 * median).toFixed(1)} %)`;
    expect(median).to.be.below(0.15);
  });

  it('comes in the true order for at least 85 % of those that are more than 20 ms apart', function () {
    let [right, all] = [0, 0];
    for (const servers of told) {
      expect(servers.map(({ ms }) => ms)).to.deep.equal(
        servers.map(({ ms }) => ms).toSorted((a, b) => a - b),
      );
      for (const [at, one] of servers.entries())
        for (const other of servers.slice(at + 1)) {
          if (Math.abs(one.true - other.true) <= 20) continue;
          all += 1;
          if (one.ms < other.ms === one.true < other.true && one.ms !== other.ms) right += 1;
        }
    }
    this.test!.title += ` (they were ${((100 * right) / all).toFixed(1)} %)`;
    expect(right / all).to.be.above(0.85);
  });

  it('never hears of a reader', () => expect(ears.heard).to.equal(0));
});
