/** The contract of protocols: what is not listed. */

import { expect } from 'chai';
import { ProtocolFixture, SAID } from './protocol-fixture.ts';
import type { ProtocolDriver } from './protocol-driver.ts';

export function describeChecks(driver: ProtocolDriver): void {
  const fixture = new ProtocolFixture(driver);

  it('shows no game server of a banned address, and takes none, until the ban is lifted', async () => {
    const service = await fixture.start();
    const gameServer = await fixture.listed(service);
    const ban = { address: '127.0.0.1', reason: 'spam' };
    const { text } = await fixture.admin(service, 'POST /admin/bans', ban);
    await fixture.untilShown(service, []);
    const another = await fixture.open();
    expect(await another.announce(service, SAID)).to.equal('refused');
    await fixture.admin(service, `DELETE /admin/bans/${(JSON.parse(text) as { readonly ban: string }).ban}`);
    expect(await gameServer.announce(service, SAID)).to.equal('taken');
    expect(await another.announce(service, SAID)).to.equal('taken');
    await fixture.untilShown(service, [gameServer, another]);
  });

  it('refuses a game server too many of an address, until another has left', async () => {
    const service = await fixture.start({ GSLS_MAX_SERVERS_PER_ADDRESS: '1' });
    const first = await fixture.listed(service);
    const second = await fixture.open();
    expect(await second.announce(service, SAID)).to.equal('refused');
    expect(await first.announce(service, SAID)).to.equal('taken');
    await fixture.untilShown(service, [first]);
    await first.signOff(service);
    expect(await second.announce(service, SAID)).to.equal('taken');
    await fixture.untilShown(service, [second]);
  });

  it('lists no private address where addresses must be public', async () => {
    const service = await fixture.start({ GSLS_PUBLIC_ADDRESSES_ONLY: 'true' });
    const gameServer = await fixture.open();
    expect(await gameServer.announce(service, SAID)).to.equal('refused');
    await fixture.untilShown(service, []);
  });

  it('lists nothing of garbage, and takes a heartbeat after it', async () => {
    const service = await fixture.start();
    await driver.sendGarbage(service);
    await fixture.untilShown(service, []);
    await fixture.listed(service);
  });
}
