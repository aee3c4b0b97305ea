/** Whether a game server of another protocol may be listed, by the rules that all game servers go by. */

import type { Context } from '../http/context.ts';
import { whyUnreachable } from '../reachability/public-address.ts';
import type { Announcement } from '../registry/announcements.ts';
import type { GameServer, GameServerId } from '../registry/game-server.ts';
import type { Refusal } from './protocol.ts';

/** What admission needs to know. */
export type AdmissionContext = Pick<Context, 'config' | 'registry'>;

/** By bans and by the address. Throws a ServiceError `registry_unavailable` before the bans are known. */
export function admit(
  { config, registry }: AdmissionContext,
  id: GameServerId,
  { ip, host, name, details }: GameServer,
  client: string,
): Refusal | undefined {
  const ban = registry.moderation.findBan({ id, client, ip, host, name, ...(details && { details }) });
  if (ban?.mode === 'refuse') return { is: 'banned', reason: ban.reason };
  const why = config.publicAddressesOnly ? whyUnreachable(ip) : undefined;
  return why === undefined ? undefined : { is: 'unreachable_address', why };
}

/** By what the documents of the client's network may take together. */
export function admitDocument(
  { config, registry }: AdmissionContext,
  id: GameServerId,
  { document }: Announcement,
  client: string,
): Refusal | undefined {
  const limit = config.maxProtocolBytesPerAddress;
  const { announcements } = registry;
  const known = registry.known(id);
  const before = (known && announcements.documentOf(known)) ?? '';
  const growth = Buffer.byteLength(document) - Buffer.byteLength(before);
  if (growth <= 0 || announcements.documentBytesOf(client) + growth <= limit) return undefined;
  return { is: 'too_many_bytes', limit };
}
