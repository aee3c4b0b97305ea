/** The contract of protocols: replicas on one Redis know each other's game servers, and restore what Redis loses. */

import { expect } from 'chai';
import { needs } from '../needs.ts';
import { useRedis } from '../redis-server.ts';
import { until } from '../until.ts';
import { ProtocolFixture, SAID } from './protocol-fixture.ts';
import type { ProtocolDriver } from './protocol-driver.ts';

export function describeReplicas(driver: ProtocolDriver): void {
  needs('redis-server').describe('with two replicas on one Redis', () => {
    const fixture = new ProtocolFixture(driver);
    const redis = useRedis();
    beforeEach('an empty Redis', () => redis.client.flushall());

    it('shows at the other one what was announced at one', async () => {
      const [here, there] = [await start(), await start()];
      const gameServer = await fixture.listed(here);
      await fixture.untilShown(there, [gameServer]);
      expect(await fixture.rows(there)).to.deep.equal(await fixture.rows(here));
    });

    it('takes heartbeats and the sign-off at either', async () => {
      const [here, there] = [await start(), await start()];
      const gameServer = await fixture.listed(here);
      await fixture.untilShown(there, [gameServer]);
      const { id } = (await fixture.row(here, gameServer))!;
      await gameServer.announce(there, { ...SAID, players: 7 });
      await until(async () => (await fixture.row(here, gameServer))?.players === 7);
      expect((await fixture.row(here, gameServer))!.id).to.equal(id);
      await gameServer.signOff(there);
      await fixture.untilShown(here, []);
    });

    it('has its entries again, with their ids, after Redis has lost them', async () => {
      const [here, there] = [await start(), await start()];
      const gameServer = await fixture.listed(here);
      await fixture.untilShown(there, [gameServer]);
      const before = await fixture.rows(here);
      await redis.client.flushall();
      await until(async () => (await redis.client.dbsize()) > 0);
      const after = await start();
      await fixture.untilShown(after, [gameServer]);
      expect(await fixture.rows(after)).to.deep.equal(before);
    });

    function start(): ReturnType<ProtocolFixture['start']> {
      return fixture.start({ GSLS_REDIS: redis.url });
    }
  });
}
