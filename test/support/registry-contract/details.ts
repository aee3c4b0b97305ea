/** The contract of details: what a game server says of itself beyond what every one says. */

import { expect } from 'chai';
import { Details, NO_DETAILS } from '../../../src/model/fields/details.ts';
import { createGameServerId, type GameServer, type GameServerId } from '../../../src/model/game-server.ts';
import { joinCodeOf } from '../../../src/model/join-code.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs } = lifetime;
const DUST = Details.of({
  map: 'de_dust2',
  tags: ['ranked', 'fra'],
  password: false,
  meta: { mods: ['a', 'b'] },
});
const INFERNO = Details.of({ map: 'de_inferno' });
const OWNER = { address: '203.0.113.7', proof: 'token' } as const;

export function describeDetails(fixture: RegistryFixture): void {
  async function broadcastWith(details?: Details): Promise<GameServerId> {
    const id = createGameServerId();
    await fixture.registry.broadcast(id, aGameServer({ ...(details && { details }) }), OWNER);
    return id;
  }
  const ping = (id: GameServerId, overrides: Partial<GameServer> = {}): Promise<unknown> =>
    fixture.registry.ping(id, aGameServer(overrides), OWNER);
  const detailsOf = async (): Promise<readonly Details[]> =>
    (await fixture.list()).snapshot.chunks.flatMap(({ rows }) => rows.map(({ details }) => details));

  describe('details', () => {
    it('are those of the broadcast, and none where it names none', async () => {
      await broadcastWith(DUST);
      await broadcastWith();
      expect(await detailsOf()).to.deep.equal([DUST, NO_DETAILS]);
    });

    it('stay through pings that name none, whatever else these say', async () => {
      const id = await broadcastWith(DUST);
      await ping(id);
      await ping(id, { players: 9 });
      await ping(id, { players: 9, name: 'Another', port: 2 });
      expect(await detailsOf()).to.deep.equal([DUST]);
      expect(fixture.registry.known(id)?.details.text).to.equal(DUST.text);
    });

    it('are replaced as a whole by a ping that names any, which is a visible change', async () => {
      const id = await broadcastWith(DUST);
      const { version } = (await fixture.list()).snapshot;
      await ping(id, { details: INFERNO });
      expect(await detailsOf()).to.deep.equal([INFERNO]);
      expect((await fixture.list()).snapshot.version).to.be.above(version);
      await ping(id, { players: 9, details: DUST });
      expect(await detailsOf()).to.deep.equal([DUST]);
      await ping(id, { details: NO_DETAILS });
      expect(await detailsOf()).to.deep.equal([NO_DETAILS]);
    });

    it('that are the same are no visible change', async () => {
      const id = await broadcastWith(DUST);
      const { version } = (await fixture.list()).snapshot;
      for (let i = 0; i < 20; i += 1) await ping(id, { details: Details.parse(DUST.text) });
      expect((await fixture.list()).snapshot.version).to.equal(version);
    });

    it('are those of a game server that starts anew under its old id', async () => {
      const id = await broadcastWith(DUST);
      const anew = aGameServer({ ip: '198.51.100.1', details: INFERNO });
      await fixture.registry.rebroadcast(id, anew, OWNER);
      expect(await detailsOf()).to.deep.equal([INFERNO]);
    });

    it('come back with an expired entry that is revived', async () => {
      const id = await broadcastWith(DUST);
      await fixture.clock.advance(ttlMs);
      expect(await detailsOf()).to.deep.equal([]);
      await ping(id, { players: 9 });
      expect(await detailsOf()).to.deep.equal([DUST]);
    });

    it('stay when the entry is claimed, and when it is reached', async () => {
      const id = createGameServerId();
      await fixture.registry.broadcast(id, aGameServer({ details: DUST }));
      await fixture.registry.reachability.note(id, aGameServer(), 'answered');
      await fixture.registry.broadcast(id, aGameServer(), OWNER);
      expect(await detailsOf()).to.deep.equal([DUST]);
    });
  });

  describe('an unlisted entry', () => {
    it('is in no list, and answers like any other', async () => {
      const id = createUnlistedId();
      expect(await fixture.registry.broadcast(id, aGameServer(), OWNER)).to.equal('listed');
      expect(await fixture.listed()).to.deep.equal([]);
      expect(await ping(id, { players: 9 })).to.equal('refreshed');
      expect((await fixture.list()).snapshot.count).to.equal(0);
      const entry = fixture.registry.known(id)!;
      expect(entry.players).to.equal(9);
      expect(fixture.registry.moderation.mayBeTold(entry)).to.equal(true);
      expect(await fixture.registry.remove(id, aGameServer().ip, OWNER)).to.equal('removed');
    });

    it('is found by its join code as long as it is listed, and the older of two with one code', async () => {
      const id = createUnlistedId();
      const younger = `${id.slice(0, 11)}${createUnlistedId().slice(11)}`;
      const code = joinCodeOf(id);
      expect(joinCodeOf(younger)).to.equal(code);
      const found = async (): Promise<string | undefined> => {
        await fixture.list();
        return fixture.registry.known({ joinCode: code })?.id;
      };
      expect(await found()).to.equal(undefined);
      await fixture.registry.broadcast(id, aGameServer());
      await fixture.clock.advance(1);
      await fixture.registry.broadcast(younger, aGameServer());
      expect(await found()).to.equal(id);
      await ping(id, { players: 9 });
      expect(await found()).to.equal(id);
      await fixture.remove(id, aGameServer().ip, OWNER);
      expect(await found()).to.equal(younger);
      await fixture.clock.advance(ttlMs);
      expect(await found()).to.equal(undefined);
    });
  });
}
