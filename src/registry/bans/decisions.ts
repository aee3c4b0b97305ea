/**
 * What moderators decided, as one immutable document: the bans, and the audit of who changed what. Knows no HTTP, no
 * registry, and no clock. How bans are matched is in ban-matcher.ts.
 */

import { ServiceError } from '../../errors.ts';
import { parseGlob } from './glob.ts';
import { parseNetwork } from '../networks.ts';

/** `refuse`: its broadcasts and pings are refused with the reason. `silent`: answered as ever, and not shown. */
export type BanMode = 'refuse' | 'silent';

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

/** In characters. */
export const LONGEST = { reason: 256, author: 64, host: 253, name: 128, id: 64 } as const;

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

/**
 * The canonical form of an address or of a network. Throws an Error whose message completes "address …", also for a
 * network that holds every address.
 */
export function parseBanAddress(text: string): string {
  const { text: canonical, groups, prefixBits } = parseNetwork(text);
  if (prefixBits === 0) throw new Error('must not hold every address');
  return prefixBits === groups.length * 16 ? canonical.slice(0, canonical.indexOf('/')) : canonical;
}

/** The document as text, for parseDecisions(). */
export function formatDecisions({ bans, audit }: Decisions): string {
  return JSON.stringify({ version: 1, bans, audit });
}

/**
 * Undefined for anything that formatDecisions() cannot have made: another program may have damaged the text. A ban with
 * a field that is not known here is such damage too, because without it the ban could match more.
 */
export function parseDecisions(text: string): Decisions | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(document) || document['version'] !== 1) return undefined;
  const { bans, audit } = document;
  if (!isListOf(isBan, MOST_BANS, bans) || !isListOf(isAuditLine, MOST_AUDIT_LINES, audit)) return undefined;
  if (new Set(bans.map(({ ban }) => ban)).size < bans.length) return undefined;
  return { bans, audit };
}

type Fields = Readonly<Record<string, unknown>>;
type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<T>(
  is: (value: unknown) => value is T,
  most: number,
  value: unknown,
): value is readonly T[] {
  return Array.isArray(value) && value.length <= most && value.every(is);
}

/** Accepts objects with all required fields, perhaps the optional ones, and no other; each must be right. */
function objectOf(required: Checks, optional: Checks = {}): (value: unknown) => value is Fields {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  const names = Object.keys(required);
  return (value): value is Fields =>
    isObject(value) &&
    names.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) => checks.get(name)?.(field) === true);
}

/** A character takes two places at most. */
const isText =
  (longest: number, shortest = 1) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length >= shortest && value.length <= 2 * longest;

const isGlob =
  (longest: number) =>
  (value: unknown): boolean =>
    isText(longest)(value) && parseGlob(value as string) !== undefined;

const isOneOf =
  (...values: readonly string[]) =>
  (value: unknown): boolean =>
    values.includes(value as string);

/** A time that a Date can have. */
const isTime = (value: unknown): boolean =>
  Number.isSafeInteger(value) && !Number.isNaN(new Date(value as number).getTime());

function isBanAddress(value: unknown): boolean {
  try {
    return typeof value === 'string' && parseBanAddress(value) === value;
  } catch {
    return false;
  }
}

const PATTERNS: Checks = {
  id: isText(LONGEST.id),
  address: isBanAddress,
  host: isGlob(LONGEST.host),
  name: isGlob(LONGEST.name),
};

const isBanObject = objectOf(
  {
    ban: isText(LONGEST.id),
    reason: isText(LONGEST.reason),
    mode: isOneOf('refuse', 'silent'),
    author: isText(LONGEST.author, 0),
    createdAt: isTime,
  },
  { ...PATTERNS, expiresAt: isTime },
);

function isBan(value: unknown): value is Ban {
  return isBanObject(value) && Object.keys(PATTERNS).some((pattern) => Object.hasOwn(value, pattern));
}

const LINE: Checks = { at: isTime, author: isText(LONGEST.author, 0) };
const FROM: Checks = { from: isText(64) };

const isBanLine = objectOf(
  { ...LINE, action: isOneOf('ban_added', 'ban_removed', 'ban_expired'), ban: isBan },
  FROM,
);
const isServerLine = objectOf(
  {
    ...LINE,
    action: isOneOf('server_removed'),
    server: objectOf(
      { id: isText(LONGEST.id) },
      {
        host: isText(LONGEST.host),
        name: isText(LONGEST.name),
        port: Number.isSafeInteger,
        ip: isText(64),
      },
    ),
  },
  FROM,
);

function isAuditLine(value: unknown): value is AuditLine {
  return isBanLine(value) || isServerLine(value);
}
