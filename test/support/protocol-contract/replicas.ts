/** The contract of protocols: replicas on one Redis know each other's game servers, and restore what Redis loses. */

import { expect } from 'chai';
import { hashOfDocument } from '../../../src/registry/native-entries.ts';
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

    it('has a native list that clients can read, whatever document another program writes', async () => {
      const service = await start();
      const [damaged, other] = [await fixture.listed(service), await fixture.open()];
      expect(await other.announce(service, SAID)).to.equal('taken');
      await fixture.untilShown(service, [damaged, other]);
      const key = `{gsls}:server:${(await fixture.row(service, damaged))!.id}`;
      const details = JSON.parse((await redis.client.hget(key, 'details'))!) as object;
      for (const document of ['"', '[]', '{"name":7}', '{"a":"\\ud800"}']) {
        const damage = {
          document,
          details: JSON.stringify({ ...details, document: hashOfDocument(document) }),
        };
        await redis.client.hset(key, damage);
        const after = await start();
        await until(async () => (await fixture.rows(after)).length === 2);
        await until(async () => (await driver.nativePorts(after)).includes(other.port));
        await after.close();
      }
      expect(await damaged.announce(service, SAID)).to.equal('taken');
      await fixture.untilShown(service, [damaged, other]);
    });

    function start(): ReturnType<ProtocolFixture['start']> {
      return fixture.start({ GSLS_REDIS: redis.url });
    }
  });
}
