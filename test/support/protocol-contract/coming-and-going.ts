/** The contract of protocols: a game server comes, goes on, changes what it says, and leaves. */

import { expect } from 'chai';
import { ask } from '../ask.ts';
import { until } from '../until.ts';
import { useDirectory } from '../use-directory.ts';
import { ProtocolFixture, SAID } from './protocol-fixture.ts';
import type { ProtocolDriver } from './protocol-driver.ts';

export function describeComingAndGoing(driver: ProtocolDriver): void {
  const fixture = new ProtocolFixture(driver);
  const newPath = useDirectory();

  it('lists a game server as one of its protocol, with the address it has proved', async () => {
    const service = await fixture.start();
    const gameServer = await fixture.listed(service);
    const { body } = await ask(service, `GET /servers?protocol=${driver.protocol}`);
    expect(body.servers).to.have.length(1);
    expect(body.servers![0]).to.include({
      name: SAID.name,
      players: SAID.players,
      max_players: SAID.maxPlayers,
      ip: '127.0.0.1',
      port: gameServer.port,
      protocol: driver.protocol,
    });
    expect((await ask(service, 'GET /servers?protocol=another')).body.servers).to.have.length(0);
  });

  it('keeps the entry at a heartbeat that says the same', async () => {
    const service = await fixture.start();
    const gameServer = await fixture.listed(service);
    const before = await fixture.rows(service);
    expect(await gameServer.announce(service, SAID)).to.equal('taken');
    expect(await fixture.rows(service)).to.deep.equal(before);
  });

  it('shows what a game server says anew, under the same id', async () => {
    const service = await fixture.start();
    const gameServer = await fixture.listed(service);
    const { id } = (await fixture.row(service, gameServer))!;
    await gameServer.announce(service, { name: 'Another name', players: 5, maxPlayers: 24 });
    await until(async () => (await fixture.row(service, gameServer))?.players === 5);
    expect(await fixture.row(service, gameServer)).to.include({ id, name: 'Another name', max_players: 24 });
  });

  it('tells game servers apart that have one address', async () => {
    const service = await fixture.start();
    const first = await fixture.listed(service);
    const second = await fixture.open();
    await second.announce(service, SAID);
    await fixture.untilShown(service, [first, second]);
  });

  it('takes a game server off its lists at once when that signs off, and no other', async () => {
    const service = await fixture.start();
    const [staying, leaving] = [await fixture.listed(service), await fixture.open()];
    await leaving.announce(service, SAID);
    await fixture.untilShown(service, [staying, leaving]);
    await leaving.signOff(service);
    await fixture.untilShown(service, [staying]);
  });

  it('lists a game server again that has signed off', async () => {
    const service = await fixture.start();
    const gameServer = await fixture.listed(service);
    await gameServer.signOff(service);
    await fixture.untilShown(service, []);
    expect(await gameServer.announce(service, SAID)).to.equal('taken');
    await fixture.untilShown(service, [gameServer]);
  });

  it('has its entries again after a restart, with their ids, from the data file', async () => {
    const file = { GSLS_DATA_FILE: newPath() };
    const service = await fixture.start(file);
    const gameServer = await fixture.listed(service);
    const before = await fixture.rows(service);
    await service.close();
    const restarted = await fixture.start(file);
    await fixture.untilShown(restarted, [gameServer]);
    expect(await fixture.rows(restarted)).to.deep.equal(before);
    await gameServer.announce(restarted, SAID);
    expect(await fixture.rows(restarted)).to.deep.equal(before);
  });
}
