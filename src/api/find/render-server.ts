/** A server as all answers but that of `GET /` show it. */

import type { DetailFields } from '../../model/fields/detail-fields.ts';
import { shownPlayersOf, type ListedGameServer, type SeenPlayers } from '../../model/game-server.ts';
import { renderRow } from '../../registry/snapshot/row.ts';

const US_PER_MS = 1000;

/** The keys of `meta` that are wanted: all, none, or the named ones. */
export type WantedMeta = boolean | readonly string[];

/**
 * One JSON object: the seven fields of `GET /`, the details (`meta` as wanted), labels, the players that were seen, and
 * when it was registered. `nearMs`: how near it is to the reader who asks.
 */
export function renderServer(row: ListedGameServer, wantedMeta: WantedMeta = false, nearMs?: number): string {
  const { details, labels, seen, registeredVersion } = row;
  const meta = partOf(details.fields.meta, wantedMeta);
  const metaMember = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  const registeredAt = new Date(Math.floor(registeredVersion / US_PER_MS)).toISOString();
  const labelsMember = labels === undefined ? '' : `,"labels":${JSON.stringify(labels)}`;
  const nearMember = nearMs === undefined ? '' : `,"near_ms":${nearMs}`;
  const fields = renderRow(row, shownPlayersOf(row)).slice(0, -1);
  return `${fields}${details.members}${metaMember}${labelsMember}${membersOf(seen)},"registered_at":"${registeredAt}"${nearMember}}`;
}

function membersOf(seen: SeenPlayers | undefined): string {
  if (seen === undefined) return '';
  return `,"players_seen":${seen.players},"players_seen_at":"${new Date(seen.at).toISOString()}"`;
}

/** The wanted part of the meta; undefined if it has none of the keys. */
function partOf(meta: DetailFields['meta'], wanted: WantedMeta): DetailFields['meta'] {
  if (meta === undefined || typeof wanted === 'boolean') return wanted === false ? undefined : meta;
  const keys = wanted.filter((key) => Object.hasOwn(meta, key));
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, meta[key]!]));
}
