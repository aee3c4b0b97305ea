/** A server as all answers but that of `GET /` show it. */

import type { DetailFields } from '../../model/fields/detail-fields.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import { renderRow } from '../../registry/snapshot/row.ts';

const US_PER_MS = 1000;

/** The keys of `meta` that are wanted: all, none, or the named ones. */
export type WantedMeta = boolean | readonly string[];

/** One JSON object: the seven fields as in `GET /`, details (`meta` as wanted), labels, and when it was registered. */
export function renderServer(row: ListedGameServer, wantedMeta: WantedMeta = false): string {
  const { details, labels, registeredVersion } = row;
  const meta = partOf(details.fields.meta, wantedMeta);
  const metaMember = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  const registeredAt = new Date(Math.floor(registeredVersion / US_PER_MS)).toISOString();
  const labelsMember = labels === undefined ? '' : `,"labels":${JSON.stringify(labels)}`;
  return `${renderRow(row).slice(0, -1)}${details.members}${metaMember}${labelsMember},"registered_at":"${registeredAt}"}`;
}

/** The wanted part of the meta; undefined if it has none of the keys. */
function partOf(meta: DetailFields['meta'], wanted: WantedMeta): DetailFields['meta'] {
  if (meta === undefined || typeof wanted === 'boolean') return wanted === false ? undefined : meta;
  const keys = wanted.filter((key) => Object.hasOwn(meta, key));
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, meta[key]!]));
}
