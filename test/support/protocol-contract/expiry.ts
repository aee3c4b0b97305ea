/** The contract of protocols: a game server that falls silent is gone after the TTL of its protocol, not of --ttl. */

import { expect } from 'chai';
import { ManualClock } from '../manual-clock.ts';
import { ProtocolFixture, SAID } from './protocol-fixture.ts';
import type { ProtocolDriver } from './protocol-driver.ts';
import { serve, type ServedProtocol } from './serve.ts';

/** How much longer than its TTL an entry may be there. */
const SWEEP_MS = 2000;

export function describeExpiry(driver: ProtocolDriver): void {
  describe('as time passes', () => {
    const fixture = new ProtocolFixture(driver);
    let clock: ManualClock;
    let service: ServedProtocol;
    beforeEach(async () => {
      clock = new ManualClock();
      service = await serve(driver, { GSLS_TTL: '60', ...(await driver.environment()) }, clock);
    });
    afterEach(() => service.close());

    it('keeps a game server for its TTL after a heartbeat', async () => {
      const gameServer = await fixture.listed(service);
      await clock.advance(driver.ttlMs / 2);
      await gameServer.announce(service, SAID);
      await clock.advance(driver.ttlMs - 1);
      await fixture.untilShown(service, [gameServer]);
    });

    it('takes one that is silent off its lists after the TTL, whatever the others do', async () => {
      const [talking, silent] = [await fixture.listed(service), await fixture.open()];
      await silent.announce(service, SAID);
      await clock.advance(driver.ttlMs / 2);
      await talking.announce(service, SAID);
      await fixture.untilShown(service, [talking, silent]);
      await clock.advance(driver.ttlMs / 2 + SWEEP_MS);
      await fixture.untilShown(service, [talking]);
    });

    it('lists one again that comes back, under its id', async () => {
      const gameServer = await fixture.listed(service);
      const { id } = (await fixture.row(service, gameServer))!;
      for (const absenceMs of [driver.ttlMs + SWEEP_MS, 12 * driver.ttlMs]) {
        await clock.advance(absenceMs);
        expect(await fixture.rows(service)).to.deep.equal([]);
        expect(await gameServer.announce(service, SAID)).to.equal('taken');
        await clock.advance(SWEEP_MS);
        await fixture.untilShown(service, [gameServer]);
        expect((await fixture.row(service, gameServer))!.id).to.equal(id);
      }
    });
  });
}
