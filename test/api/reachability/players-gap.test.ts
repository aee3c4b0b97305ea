/** The players that are there and those that are announced: who gets which number, and how long one counts. */

import { expect } from 'chai';
import { VERIFY_INTERVAL_MS } from '../../../src/api/reachability/prober.ts';
import { openVerification } from '../../../src/api/reachability/verification.ts';
import { REACHED, type ListedGameServer, type SeenPlayers } from '../../../src/model/game-server.ts';
import type { Service } from '../../../src/service/service.ts';
import { openA2sGame, type A2sGame } from '../../support/a2s-game.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast, anEntry } from '../../support/builders.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

interface Told {
  readonly port: number;
  readonly players: number;
  readonly players_seen?: number;
  readonly players_seen_at?: string;
  readonly players_gap?: number;
}

describe('a service that asks how many players there are', () => {
  let service: Service;
  let games: A2sGame[];
  beforeEach(async () => {
    games = [await openA2sGame('honest'), await openA2sGame('liar'), await openA2sGame('modest')];
  });
  afterEach(async () => {
    await service.close();
    for (const game of games) await game.close();
  });

  const listOf = async (path: string): Promise<readonly Told[]> =>
    (
      JSON.parse((await ask(service, `GET ${path}`, { headers: { Authorization: 'boss' } })).text) as {
        servers: Told[];
      }
    ).servers;

  /** Three game servers with 3 players each, which say that there are 3, 60 and 1. */
  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    service = await startTestService({
      GSLS_VERIFY: 'a2s',
      GSLS_VERIFY_NETWORKS: 'loopback',
      GSLS_ADMIN_KEY: 'boss',
      ...environment,
    });
    for (const [index, players] of [3, 60, 1].entries()) {
      const said = { players, max_players: 64, server_ip: '127.0.0.1', server_port: games[index]!.port };
      await ask(service, 'POST /broadcast', { body: aBroadcast(said) });
    }
    await until(async () => (await listOf('/servers')).length === 3);
  };

  it('tells moderators whose numbers fit least, and readers what was seen', async () => {
    await start();
    const [honest, liar, modest] = games.map(({ port }) => port);
    const byGap = await listOf('/admin/servers?sort=-players_gap');
    expect(byGap.map(({ port, players, players_gap: gap }) => [port, players, gap])).to.deep.equal([
      [liar, 60, 57],
      [honest, 3, 0],
      [modest, 1, -2],
    ]);
    expect(await listOf('/admin/servers?players_gap=1..')).to.have.length(1);
    for (const { players_seen: seen, players_seen_at: at } of await listOf('/servers')) {
      expect(seen).to.equal(3);
      expect(Date.now() - Date.parse(at!)).to.be.within(0, 60_000);
      expect(at).to.match(/\.000Z$/);
    }
    expect((await listOf('/servers')).map(({ players }) => players)).to.deep.equal([3, 60, 1]);
    const { text } = await ask(service, 'GET /');
    expect(text).to.not.include('seen');
  });

  it('shows the seen number with --players-seen, in all answers but that of GET /', async () => {
    await start({ GSLS_PLAYERS_SEEN: 'true', GSLS_PUBLIC_URL: 'http://localhost' });
    const said = [3, 60, 1];
    for (const path of ['/servers', '/servers?players=3', '/servers?players=..3&sort=players', '/changes'])
      expect(
        (await listOf(path)).map(({ players }) => players),
        path,
      ).to.deep.equal([3, 3, 3]);
    expect(await listOf('/servers?players=60')).to.deep.equal([]);
    expect((await ask(service, 'GET /stats')).text).to.include('"players":9,');
    const { text } = await ask(service, 'GET /');
    expect(text).to.not.include('seen');
    expect((JSON.parse(text) as { servers: Told[] }).servers.map(({ players }) => players)).to.deep.equal(
      said,
    );
    expect((await listOf('/admin/servers')).map(({ players }) => players)).to.deep.equal(said);
    expect(await listOf('/admin/servers?players=60')).to.have.length(1);
  });
});

describe('a number of players that was seen', () => {
  let game: A2sGame;
  let now: number;
  let entry: ListedGameServer;
  let notes: (SeenPlayers | undefined)[];
  beforeEach(async () => {
    game = await openA2sGame('a game');
    now = 1_700_000_000_400;
    entry = anEntry({ id: 'a', ip: '127.0.0.1', port: game.port, reachability: REACHED });
    notes = [];
  });
  afterEach(() => game.close());

  const opened = () =>
    openVerification({
      options: { kind: 'a2s', hidesUnreached: true, isNamed: () => true, maskText: (text) => text },
      registry: {
        known: () => entry,
        lease: { take: async () => true },
        reachability: {
          async note(_, __, reachability, seen) {
            entry = { ...entry, reachability, seen };
            notes.push(seen);
          },
        },
      },
      logger: silentLogger,
      onProbe: () => undefined,
      now: () => now,
    })!;
  const client = { address: '127.0.0.1' };

  it('is stored anew when it differs, or is 20 minutes old', async () => {
    const { verify, close } = opened();
    const probe = async (): Promise<SeenPlayers> => {
      const before = notes.length;
      verify('a', entry, client, true);
      await until(() => notes.length > before);
      return notes.at(-1)!;
    };
    const first = await probe();
    expect(first).to.deep.equal({ players: 3, at: 1_700_000_000_000 });
    now += VERIFY_INTERVAL_MS;
    expect(await probe()).to.equal(first);
    now += VERIFY_INTERVAL_MS;
    expect(await probe()).to.deep.equal({ players: 3, at: 1_700_001_200_000 });
    game.players = 0;
    expect(await probe()).to.deep.equal({ players: 0, at: 1_700_001_200_000 });
    close();
  });

  it('is forgotten with a ping after 40 minutes, or if it is of another time', async () => {
    const { verify, close } = opened();
    const seen = { players: 3, at: now };
    for (const [age, isForgotten] of [
      [4 * VERIFY_INTERVAL_MS - 1, false],
      [4 * VERIFY_INTERVAL_MS, true],
      [-4 * VERIFY_INTERVAL_MS, true],
    ] as const) {
      entry = { ...entry, seen };
      now = seen.at + age;
      verify('a', entry, client, false);
      expect(entry.seen === undefined, String(age)).to.equal(isForgotten);
      expect(entry.reachability).to.equal(REACHED);
    }
    close();
  });
});
