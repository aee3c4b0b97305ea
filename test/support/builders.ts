/** Game servers for tests: a test names only the fields that matter to it. */

import type { EndpointRequest } from '../../src/api/http/route.ts';
import { NO_DETAILS } from '../../src/model/fields/details.ts';
import {
  createGameServerId,
  UNKNOWN_STANDING,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../src/model/game-server.ts';
import type { Moderation } from '../../src/registry/backend.ts';
import { NO_DECISIONS } from '../../src/registry/decisions/decisions.ts';
import { Chunk } from '../../src/registry/snapshot/chunk.ts';
import type { Listing, Registry } from '../../src/registry/registry.ts';

export function aGameServer(overrides: Partial<GameServer> = {}): GameServer {
  return {
    host: 'game.example.com',
    name: 'A server',
    port: 7777,
    ip: '203.0.113.7',
    players: 3,
    maxPlayers: 16,
    ...overrides,
  };
}

/** An entry that has not changed since its broadcast. */
export function anEntry(overrides: Partial<ListedGameServer> = {}): ListedGameServer {
  const { registeredVersion = 10 } = overrides;
  const about = { id: 'id', details: NO_DETAILS, registeredVersion, version: registeredVersion };
  return { ...aGameServer(), ...UNKNOWN_STANDING, ...about, ...overrides };
}

/** A registry of which only the list is asked: it shows these, and is current. No ban is in force. */
export function aList(
  shown: () => readonly ListedGameServer[],
): Pick<Registry, 'list' | 'known'> & { readonly moderation: Moderation } {
  return {
    list: async () => ({ snapshot: { chunks: [new Chunk(shown(), true)] } as never, staleSince: undefined }),
    known: (by) => shown().find(({ id }) => id === by),
    moderation: {
      decided: NO_DECISIONS,
      decide: async () => NO_DECISIONS,
      findBan: () => undefined,
      mayBeTold: () => true,
    },
  };
}

/** Lists the game server under a new id, and resolves with the id. */
export async function broadcastTo(registry: Registry, gameServer: GameServer): Promise<GameServerId> {
  const id = createGameServerId();
  await registry.broadcast(id, gameServer);
  return id;
}

/** A game server as the list shows it. */
export interface ListedBody {
  readonly id: string;
  readonly host: string;
  readonly name: string;
  readonly port: number;
  readonly ip: string;
  readonly players: number;
  readonly max_players: number;
}

export interface ListBody {
  readonly servers: readonly ListedBody[];
  readonly count: number;
}

/** The body of the list as text. */
export async function textOf({ snapshot }: Listing): Promise<string> {
  return (await snapshot.encode('identity')).toString();
}

/** The body of the list, parsed. */
export async function bodyOf(listing: Listing): Promise<ListBody> {
  return JSON.parse(await textOf(listing)) as ListBody;
}

/** A request body as a game server sends it. */
export function aBroadcast(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    server_host: 'game.example.com',
    server_name: 'A server',
    server_port: 7777,
    server_ip: '203.0.113.7',
    players: 3,
    max_players: 16,
    ...overrides,
  };
}

/** A request as an endpoint gets it. */
export function anEndpointRequest(overrides: Partial<EndpointRequest> = {}): EndpointRequest {
  return {
    headers: {},
    fields: undefined,
    query: '',
    client: { address: '::1' },
    ...overrides,
  };
}
