/**
 * What moderators decided, as one immutable document: the bans, and the audit of who changed what. How bans are matched
 * is in ban-matcher.ts, and how it is kept in decisions-document.ts.
 */

import { ServiceError } from '../../model/service-error.ts';
import type { BanMode } from './ban-fields.ts';

/** An entry that matches all of them is banned. At least one is there. */
export interface BanPatterns {
  /** An id, exactly. */
  readonly id?: string;
  /** An address or a network (parseBanAddress): of the client that broadcast, or the one that it announced. */
  readonly address?: string;
  /** Globs (glob.ts). */
  readonly host?: string;
  readonly name?: string;
}

export interface Ban extends BanPatterns {
  /** Its own id, a random one. */
  readonly ban: string;
  readonly reason: string;
  readonly mode: BanMode;
  /** Who says so, in words of their own. */
  readonly author: string;
  /** Times in ms since the epoch. */
  readonly createdAt: number;
  /** In force until then; for ever without it. */
  readonly expiresAt?: number;
}

/** An entry that was removed for good: as it was, or only its id, if it had expired before. */
export interface RemovedServer {
  readonly id: string;
  readonly host?: string;
  readonly name?: string;
  readonly port?: number;
  readonly ip?: string;
}

/** Who does something. */
export interface Moderator {
  readonly author: string;
  /** The address of the client that asks for it, as far as it may be kept. */
  readonly from?: string;
}

/** Something that was done. Author '' is GSLS itself: the time of a ban was over. */
export type AuditLine = Moderator & { readonly at: number } & (
    | { readonly action: 'ban_added' | 'ban_removed' | 'ban_expired'; readonly ban: Ban }
    | { readonly action: 'server_removed'; readonly server: RemovedServer }
  );

export interface Decisions {
  readonly bans: readonly Ban[];
  /** The latest of them, in order. */
  readonly audit: readonly AuditLine[];
}

export const NO_DECISIONS: Decisions = { bans: [], audit: [] };

export const MOST_BANS = 10_000;

/** The latest are kept. */
export const MOST_AUDIT_LINES = 500;

/** The same object if it has the ban already. Throws a ServiceError `too_many_bans`. */
export function withBan(now: Decisions, ban: Ban, from?: string): Decisions {
  if (now.bans.some((each) => each.ban === ban.ban)) return now;
  if (now.bans.length >= MOST_BANS) throw new ServiceError('too_many_bans');
  const line = { at: ban.createdAt, ...moderator(ban.author, from), action: 'ban_added', ban } as const;
  return withAudit({ ...now, bans: [...now.bans, ban] }, line);
}

/** Undefined if there is no such ban. */
export function withoutBan(
  now: Decisions,
  banId: string,
  author: string,
  at: number,
  from?: string,
): Decisions | undefined {
  const ban = now.bans.find((each) => each.ban === banId);
  if (ban === undefined) return undefined;
  const line = { at, ...moderator(author, from), action: 'ban_removed', ban } as const;
  return withAudit({ ...now, bans: now.bans.filter((each) => each !== ban) }, line);
}

/** The same object if no ban has expired. */
export function withoutExpired(now: Decisions, at: number): Decisions {
  const isOver = ({ expiresAt = Infinity }: Ban): boolean => expiresAt <= at;
  const expired = now.bans.filter(isOver);
  if (expired.length === 0) return now;
  const bans = now.bans.filter((ban) => !isOver(ban));
  return withAudit(
    { ...now, bans },
    ...expired.map((ban) => ({ at, author: '', action: 'ban_expired', ban }) as const),
  );
}

export function withAudit(now: Decisions, ...lines: readonly AuditLine[]): Decisions {
  return { ...now, audit: [...now.audit, ...lines].slice(-MOST_AUDIT_LINES) };
}

function moderator(author: string, from: string | undefined): Moderator {
  return from === undefined ? { author } : { author, from };
}
