/** The contract of the number of players that a game server told at its address. */

import { expect } from 'chai';
import { REACHED, type ListedGameServer, type SeenPlayers } from '../../../src/model/game-server.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const SEEN = { players: 4, at: 1_700_000_000_000 };

export function describeSeenPlayers(fixture: RegistryFixture): void {
  const note = (id: string, seen?: SeenPlayers, reachability = REACHED): Promise<void> =>
    fixture.registry.reachability.note(id, aGameServer(), reachability, seen);
  /** The row of the list, whose version the list has as well. */
  const row = async (): Promise<ListedGameServer> => {
    const { snapshot } = await fixture.list();
    return snapshot.chunks[0]!.rows[0]!;
  };

  describe('a number of players that was seen', () => {
    it('is kept beside the one that is said, through pings that change that', async () => {
      const id = await fixture.broadcast({ players: 60 });
      const before = await fixture.listed();
      await note(id, SEEN);
      expect(await fixture.listed()).to.deep.equal(before);
      expect((await row()).seen).to.deep.equal(SEEN);
      for (const change of [{ players: 61 }, { players: 61, name: 'Another' }, { players: 61 }]) {
        await fixture.ping(id, change);
        const { seen, players, shownPlayers } = await row();
        expect([seen, players, shownPlayers]).to.deep.equal([SEEN, 61, undefined]);
      }
      expect(fixture.registry.known(id)?.seen).to.deep.equal(SEEN);
    });

    it('is a visible change, which it is not again', async () => {
      const id = await fixture.broadcast();
      await note(id, SEEN);
      const { version } = await row();
      await note(id, SEEN);
      expect((await row()).version).to.equal(version);
      for (const seen of [
        { ...SEEN, players: 0 },
        { players: 0, at: SEEN.at + 1000 },
      ]) {
        await note(id, seen);
        expect((await row()).seen).to.deep.equal(seen);
      }
      expect((await row()).version).to.be.above(version);
    });

    it('is forgotten with an answer without one, with no answer, and at another address', async () => {
      const id = await fixture.broadcast();
      const forget = [
        () => note(id),
        () => note(id, undefined, 'no_answer'),
        () => fixture.ping(id, { port: 9 }),
      ];
      for (const forgets of forget) {
        await note(id, SEEN);
        expect((await row()).seen).to.deep.equal(SEEN);
        await forgets();
        expect((await row()).seen).to.equal(undefined);
      }
    });

    it('is still there when an expired entry comes back', async () => {
      const id = await fixture.broadcast();
      await note(id, SEEN);
      await fixture.clock.advance(lifetime.ttlMs + 2 * lifetime.sweepIntervalMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
      await fixture.ping(id);
      expect((await row()).seen).to.deep.equal(SEEN);
    });

    it('is shown in place of the one that is said where the rules want it, but in no snapshot', async () => {
      await fixture.reopen({ showsSeenPlayers: true });
      const id = await fixture.broadcast({ players: 60 });
      await note(id, SEEN);
      const { players, shownPlayers } = await row();
      expect([players, shownPlayers]).to.deep.equal([60, 4]);
      expect((await fixture.listed())[0]).to.include({ players: 60 });
      await fixture.ping(id, { players: 61 });
      expect(await row()).to.include({ players: 61, shownPlayers: 4 });
      await note(id);
      expect((await row()).shownPlayers).to.equal(undefined);
    });
  });
}
