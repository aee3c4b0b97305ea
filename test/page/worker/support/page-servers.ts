/** Game servers as `GET /changes` tells them, and its answers. */

import type { ListedServer } from '../../../../src/model/view/listed-server.ts';

export function aServer(id: string, overrides: Partial<ListedServer> = {}): ListedServer {
  return {
    id,
    host: 'game.example.com',
    name: `Server ${id}`,
    port: 7777,
    ip: '203.0.113.7',
    players: 3,
    max_players: 16,
    registered_at: '2026-01-01T00:00:00.000Z',
    ...overrides,
  };
}

export interface Told {
  readonly servers?: readonly ListedServer[];
  readonly removed?: readonly string[];
  readonly full?: boolean;
  readonly tag?: string;
}

export function changesOf({ servers = [], removed = [], full = false, tag = 't' }: Told): string {
  return JSON.stringify({ servers, removed, full, tag });
}

/** An event of a stream. */
export function changesEvent(told: Told): string {
  return `id: ${told.tag ?? 't'}\nevent: changes\ndata: ${changesOf(told)}\n\n`;
}
