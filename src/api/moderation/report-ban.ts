/** The ban by which reports hide an entry until a moderator looks: a silent one of GSLS itself. */

import { hash } from 'node:crypto';
import type { GameServerId } from '../../model/game-server.ts';
import { withBan, type Ban, type Decisions } from '../../registry/decisions/decisions.ts';

/** One id for each entry: two replicas that count the same voices hide it once. */
function banIdOf(id: GameServerId): string {
  return hash('sha256', `reports of ${id}`).slice(0, 16);
}

/** Hides the entry. `networks`: how many reported it. Returns the same object if it is hidden by reports already. */
export function withReportBan(now: Decisions, id: GameServerId, networks: number, at: number): Decisions {
  const reason = `${networks} networks reported it`;
  const ban: Ban = { ban: banIdOf(id), id, reason, mode: 'silent', author: '', createdAt: at };
  return withBan(now, ban);
}

/** The entry that reports hide by this ban; undefined for a ban of a moderator. */
export function hiddenByReports({ ban, id }: Ban): GameServerId | undefined {
  return id !== undefined && ban === banIdOf(id) ? id : undefined;
}

/** Shows the entry again. The line of the moderator who looked says why. */
export function withoutReportBan(now: Decisions, id: GameServerId): Decisions {
  const ban = banIdOf(id);
  return { ...now, bans: now.bans.filter((each) => each.ban !== ban) };
}
