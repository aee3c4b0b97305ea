/** The game server of DDNet, unchanged, at a service in place of its master server. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { startDdnetServer } from '../../support/ddnet/ddnet-server.ts';
import { readAsClient, type ReadServer } from '../../support/ddnet/read-as-client.ts';
import { valueOf } from '../../support/metrics.ts';
import { inCountry, mmdb } from '../../support/mmdb.ts';
import { has, needs } from '../../support/needs.ts';
import { freePort } from '../../support/free-port.ts';
import { endProcesses } from '../../support/processes.ts';
import { useRedis } from '../../support/redis-server.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';
import type { RealGameServer } from '../../support/real-game-server.ts';
import { useServices } from '../../support/use-services.ts';

/** From the proof of a game server until all lists have it. */
const MOST_DELAY_MS = 1000;
const TTL_MS = 30_000;
/** How much longer than its TTL an entry may be there. */
const SWEEP_MS = 2000;
/** The name has a control character: its own clients do not show such a server, and lose no other one by it. */
const HOSTILE_NAME = 'Hostile\u0001^1 tee';

async function readServers({ url }: Pick<Service, 'url'>): Promise<readonly ReadServer[]> {
  return readAsClient((await ask({ url }, 'GET /ddnet/15/servers.json')).bytes)!;
}

/** It says when it sends the first heartbeat of an address, and the one with its proof; of success it says nothing. */
async function untilProved(server: RealGameServer, addresses: number): Promise<void> {
  const sent = (): number => server.lines.filter((line) => line.includes('registering...')).length;
  await until(() => sent() === 2 * addresses, server);
}

needs('DDNet-Server').describe('the game server of DDNet', () => {
  let service: Service;
  const newPath = useDirectory();
  beforeEach(async () => {
    const geoFile = newPath();
    writeFileSync(
      geoFile,
      mmdb({ networks: { '127.0.0.0/8': inCountry('DE'), '::1/128': inCountry('DE') } }),
    );
    service = await startTestService({
      GSLS_PROTOCOLS: 'ddnet',
      GSLS_HOST: has('IPv6') ? '::' : '127.0.0.1',
      GSLS_GEO_FILE: geoFile,
    });
  });
  afterEach(async () => {
    await endProcesses();
    await service.close();
  });

  function start(name: string, register: string): Promise<RealGameServer> {
    const registerUrl = `http://localhost:${new URL(service.url).port}/ddnet/15/register`;
    return startDdnetServer({ registerUrl, name, register });
  }

  /** Those that were taken. */
  async function heartbeats(): Promise<number> {
    const { text } = await ask(service, 'GET /metrics');
    const counts = ['listed', 'refreshed'].map((outcome) =>
      valueOf(text, 'gsls_protocol_total', { protocol: 'ddnet', outcome }),
    );
    return counts.reduce((sum, count) => sum + (Number.isNaN(count) ? 0 : count), 0);
  }

  async function untilListed(count: number): Promise<void> {
    await until(async () => (await ask(service, 'GET /')).body.servers!.length === count);
  }

  it('is in both lists a second after its proof, as one server with all of its addresses', async () => {
    const families = has('IPv6') ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'];
    const server = await start('Tees', has('IPv6') ? '1' : 'ipv4');
    await untilProved(server, 2 * families.length);
    const registeredAt = performance.now();
    const addresses = families.flatMap((host) =>
      ['6', '7'].map((version) => `tw-0.${version}+udp://${host}:${server.port}`),
    );
    await until(async () => (await readServers(service))[0]?.addresses.length === addresses.length);
    expect(performance.now() - registeredAt).to.be.below(MOST_DELAY_MS);
    expect(await readServers(service)).to.deep.equal([{ name: 'Tees', addresses, location: 'eu:de' }]);
    const { body } = await ask(service, 'GET /servers?protocol=ddnet&game=Teeworlds&map=Tutorial');
    expect(body.servers).to.have.length(1);
    expect(body.servers![0]).to.include({ name: 'Tees', ip: '127.0.0.1', port: server.port, players: 0 });
  });

  it('is gone at once when it is stopped', async () => {
    const server = await start('Tees', 'ipv4');
    // It signs off what it knows to be listed: it has read the answers to its proofs when it sends the next heartbeats.
    await until(async () => (await heartbeats()) === 4, server);
    expect(await server.stop('SIGTERM')).to.equal(0);
    expect((await ask(service, 'GET /')).body.servers).to.deep.equal([]);
  });

  it('is gone after its TTL when it is killed', async () => {
    const server = await start('Tees', 'ipv4');
    await untilListed(1);
    await server.stop('SIGKILL');
    const killedAt = performance.now();
    await untilListed(0);
    expect(performance.now() - killedAt).to.be.within(TTL_MS / 2, TTL_MS + SWEEP_MS);
  });

  it('is listed with a name of control characters, which costs its clients no other server', async () => {
    await Promise.all([start(HOSTILE_NAME, 'tw0.6/ipv4'), start('Honest', 'tw0.6/ipv4')]);
    await untilListed(2);
    await until(async () => {
      const { text } = await ask(service, 'GET /ddnet/15/servers.json');
      return text.includes('Hostile') && text.includes('Honest');
    });
    expect((await readServers(service)).map(({ name }) => name)).to.deep.equal(['Honest']);
    const { body } = await ask(service, 'GET /servers?protocol=ddnet&sort=name');
    expect(body.servers!.map(({ name }) => name).toSorted()).to.deep.equal(['Honest', 'Hostile ^1 tee']);
  });
});

needs('DDNet-Server', 'redis-server', 'IPv6').describe('the game server of DDNet at two replicas', () => {
  const redis = useRedis();
  const services = useServices(() => ({ GSLS_REDIS: redis.url, GSLS_PROTOCOLS: 'ddnet' }));
  afterEach(endProcesses);

  it('is one entry, by IPv4 at one and by IPv6 at the other', async () => {
    const port = String(await freePort());
    const replicas = [
      await services.start({ GSLS_HOST: '127.0.0.1', GSLS_PORT: port }),
      await services.start({ GSLS_HOST: '::1', GSLS_PORT: port }),
    ];
    const registerUrl = `http://localhost:${port}/ddnet/15/register`;
    const server = await startDdnetServer({ registerUrl, name: 'Tees', register: '1' });
    const addresses = ['127.0.0.1', '[::1]'].flatMap((host) =>
      ['6', '7'].map((version) => `tw-0.${version}+udp://${host}:${server.port}`),
    );
    for (const replica of replicas) {
      await until(async () => (await readServers(replica))[0]?.addresses.length === addresses.length, server);
      expect(await readServers(replica)).to.deep.equal([{ name: 'Tees', addresses }]);
    }
  });
});
