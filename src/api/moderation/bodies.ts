/** The JSON that moderators get: times in ISO 8601, names as the list has them. */

import type { ListedGameServer } from '../../model/game-server.ts';
import type { AuditLine, Ban, RemovedServer } from '../../registry/bans/decisions.ts';
import type { Refusals } from './refusal-record.ts';

export function renderBan(given: Ban): object {
  const { ban, reason, mode, author, id, address, host, name, createdAt, expiresAt } = given;
  return {
    ban,
    reason,
    mode,
    author,
    id,
    address,
    host,
    name,
    created_at: timeText(createdAt),
    expires_at: expiresAt === undefined ? undefined : timeText(expiresAt),
  };
}

export function renderLine(line: AuditLine): object {
  const what = line.action === 'server_removed' ? { server: line.server } : { ban: renderBan(line.ban) };
  return {
    at: timeText(line.at),
    author: line.author,
    from: line.from,
    key: line.key,
    action: line.action,
    ...what,
  };
}

export function renderEntry(entry: ListedGameServer): object {
  const { id, host, name, port, ip, players, maxPlayers, registeredVersion, isClaimed, reachability } = entry;
  return {
    id,
    host,
    name,
    port,
    ip,
    players,
    max_players: maxPlayers,
    registered_at: timeText(registeredVersion / 1000),
    claimed: isClaimed,
    reachability: reachability === '' ? undefined : reachability,
  };
}

/** Whether the list shows the entry, and the ban because of which it does not. */
export function renderShown(ban: Ban | undefined, isUnreached: boolean): object {
  return { shown: ban === undefined && !isUnreached, ban: ban?.ban };
}

/** How often requests from the network of the client were refused. */
export function renderRefusals({ code, count, at }: Refusals): object {
  return { code, count, at: timeText(at) };
}

/** The part of a removed entry that the audit keeps. */
export function removedServer({ id, host, name, port, ip }: ListedGameServer): RemovedServer {
  return { id, host, name, port, ip };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
