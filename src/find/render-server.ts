/** A server as all answers but `GET /` show it. */

import type { ListedGameServer } from '../registry/game-server.ts';
import { renderRow } from '../registry/snapshot/row.ts';

const US_PER_MS = 1000;

/**
 * One JSON object: the seven fields as in `GET /`, the details (`meta` only if it is wanted), and when the server was
 * registered.
 */
export function renderServer(row: ListedGameServer, withMeta = false): string {
  const { details, registeredVersion } = row;
  const { meta } = details.fields;
  const metaMember = withMeta && meta !== undefined ? `,"meta":${JSON.stringify(meta)}` : '';
  const registeredAt = new Date(Math.floor(registeredVersion / US_PER_MS)).toISOString();
  return `${renderRow(row).slice(0, -1)}${details.members}${metaMember},"registered_at":"${registeredAt}"}`;
}
