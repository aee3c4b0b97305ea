/** The quotas of game servers that know the same secrets, or register at once, from several addresses. */

import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { anInfo, DdnetGameServer, type RegisterAnswer } from '../../support/ddnet/ddnet-game-server.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { useServices, type Environment } from '../../support/use-services.ts';

const ADDRESSES = ['127.0.0.1', '127.0.0.2'] as const;

function describeQuotas(backend: string, environment: () => Environment): void {
  describe(`the quotas of DDNet, ${backend}`, () => {
    const services = useServices(() => ({
      GSLS_PROTOCOLS: 'ddnet',
      GSLS_TRUST_PROXY: 'loopback',
      ...environment(),
    }));
    const opened: DdnetGameServer[] = [];
    afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

    async function register(
      { url }: Service,
      address: string,
      secret: string,
      info = anInfo(),
    ): Promise<RegisterAnswer> {
      const server = await DdnetGameServer.open(address);
      opened.push(server);
      const headers = { Secret: secret, 'X-Forwarded-For': address, 'Content-Type': 'application/json' };
      return server.registerWith(url, info, { headers });
    }

    it('hold for addresses that register each other’s secrets in turn', async () => {
      const service = await services.start({ GSLS_MAX_SERVERS_PER_ADDRESS: '3' });
      for (let round = 0; round < 4; round += 1)
        for (const address of ADDRESSES)
          for (let n = 0; n < 3; n += 1) await register(service, address, `secret ${round} ${n}`);
      expect((await ask(service, 'GET /')).body.servers!.length).to.be.at.most(6);
    });

    it('hold for documents that come at once, and for those of secrets that two addresses know', async () => {
      const service = await services.start({ GSLS_MAX_PROTOCOL_BYTES_PER_ADDRESS: '100000' });
      const info = anInfo({ motd: 'x'.repeat(30_000) });
      for (let round = 0; round < 3; round += 1)
        for (const address of ADDRESSES)
          await Promise.all(
            Array.from({ length: 8 }, (_, n) => register(service, address, `secret ${round} ${n}`, info)),
          );
      const { bytes } = await ask(service, 'GET /ddnet/15/servers.json');
      expect(bytes.length).to.be.within(90_000, 210_000);
    });
  });
}

describeQuotas('in memory', () => ({}));
needs('redis-server').describe('with Redis', () => {
  const redis = useRedis();
  beforeEach('an empty Redis', () => redis.client.flushall());
  describeQuotas('on Redis', () => ({ GSLS_REDIS: redis.url }));
});
