/** A game server of DDNet registers each of its addresses by itself: they are one entry, wherever they arrive. */

import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { anInfo, DdnetGameServer, type Scheme } from '../../support/ddnet/ddnet-game-server.ts';
import { readAsClient, type ReadServer } from '../../support/ddnet/read-as-client.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { useServices } from '../../support/use-services.ts';

const ROUNDS = 10;
const SCHEMES: readonly Scheme[] = ['tw-0.6+udp', 'tw-0.7+udp'];

function addressesOf(server: DdnetGameServer): readonly string[] {
  return SCHEMES.map((scheme) => `${scheme}://127.0.0.1:${server.port}`);
}

needs('redis-server').describe('the addresses of a game server of DDNet', () => {
  const redis = useRedis();
  const services = useServices(() => ({ GSLS_REDIS: redis.url, GSLS_PROTOCOLS: 'ddnet' }));
  const opened: DdnetGameServer[] = [];
  beforeEach('an empty Redis', () => redis.client.flushall());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((server) => server.close()));
  });

  async function open(): Promise<DdnetGameServer> {
    const server = await DdnetGameServer.open();
    opened.push(server);
    return server;
  }

  it('are one entry when they arrive at two replicas at once', async () => {
    const replicas = await Promise.all([services.start(), services.start()]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await open();
      const [first, second] = round % 2 === 0 ? replicas : replicas.toReversed();
      const urls = [first!.url, second!.url];
      // Each replica takes the proof that the other has asked for.
      for (const [index, scheme] of SCHEMES.entries()) await server.register(urls[1 - index]!, { scheme });
      await until(() => server.packets.length === SCHEMES.length);
      const answers = await Promise.all(
        SCHEMES.map((scheme, index) => server.register(urls[index]!, { scheme, body: anInfo() })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(['success', 'success']);
    }
    for (const replica of replicas) {
      await until(async () => (await read(replica)).length === ROUNDS);
      const all = (await read(replica)).map(({ addresses }) => addresses.join()).toSorted();
      expect(all).to.deep.equal(opened.map((server) => addressesOf(server).join()).toSorted());
    }
  });

  it('are taken away one by one, at any replica', async () => {
    const [here, there] = [await services.start(), await services.start()];
    const server = await open();
    for (const scheme of SCHEMES) await server.registerWith(here.url, anInfo(), { scheme });
    await until(async () => (await read(there))[0]?.addresses.length === 2);
    expect(await server.delete(there.url)).to.include({ status: 'success' });
    // The others are shown without it from their next heartbeat on.
    await server.registerWith(there.url, anInfo(), { scheme: 'tw-0.7+udp' });
    await until(async () => (await read(here))[0]?.addresses.join() === addressesOf(server)[1]);
    expect(await server.delete(here.url, { scheme: 'tw-0.7+udp' })).to.include({ status: 'success' });
    await until(async () => (await read(there)).length === 0);
  });
});

async function read(replica: Pick<Service, 'url'>): Promise<readonly ReadServer[]> {
  return readAsClient((await ask(replica, 'GET /ddnet/15/servers.json')).bytes)!;
}
