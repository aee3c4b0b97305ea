/**
 * The decisions of moderators as one immutable document: bans, labels, and the audit of who changed what.
 * rule-matcher.ts matches bans and labels, and decisions-document.ts renders the document as text.
 *
 * The document is replaced by compare-and-set: no decision is lost to a second moderator, and none is half in effect.
 * Each decision gets a version like any visible change, so the lists and ETags of all replicas agree.
 */

import { ServiceError } from '../../model/service-error.ts';
import type { BanMode } from './rule-fields.ts';

/** The patterns of a rule, at least one. The rule holds for the entries that match all of them. */
export interface Patterns {
  /** The exact id of an entry. */
  readonly id?: string;
  /** An address or a network (addressOfRule): of the client that broadcast, or one that it announced. */
  readonly address?: string;
  /** Globs (glob.ts) for the host and for the name. */
  readonly host?: string;
  readonly name?: string;
}

interface Rule extends Patterns {
  /** The moderator who decided it, under a name of their own choice; '' is GSLS itself. */
  readonly author: string;
  /** Times in ms since the epoch. */
  readonly createdAt: number;
  /** The rule is in force until then; without it, for ever. */
  readonly expiresAt?: number;
}

export interface Ban extends Rule {
  /** The random id of this ban. */
  readonly ban: string;
  readonly reason: string;
  readonly mode: BanMode;
}

/** Gives a label to the entries that match. */
export interface LabelRule extends Rule {
  /** The random id of this rule. */
  readonly rule: string;
  readonly label: string;
  readonly reason?: string;
}

/** An entry that a moderator decided about: as it was listed, or only its id if it had expired before. */
export interface RemovedServer {
  readonly id: string;
  readonly host?: string;
  readonly name?: string;
  readonly port?: number;
  readonly ip?: string;
}

/** The person behind a decision. */
export interface Moderator {
  readonly author: string;
  /** The address of the client that asked for it, as far as it may be kept. */
  readonly from?: string;
  /** The name of the key that let the request in, if the key has one. */
  readonly key?: string;
}

/** A moderator as their request shows them, without the name that they give themselves. */
export type Acting = Omit<Moderator, 'author'>;

/** A decision or its end. The author '' is GSLS itself: a rule has expired, or reports have hidden an entry. */
export type AuditLine = Moderator & { readonly at: number } & (
    | { readonly action: 'ban_added' | 'ban_removed' | 'ban_expired'; readonly ban: Ban }
    | { readonly action: 'label_added' | 'label_removed' | 'label_expired'; readonly label: LabelRule }
    | { readonly action: 'server_removed' | 'reports_dismissed'; readonly server: RemovedServer }
  );

export interface Decisions {
  readonly bans: readonly Ban[];
  readonly labels: readonly LabelRule[];
  /** The latest lines, in order. */
  readonly audit: readonly AuditLine[];
}

export const NO_DECISIONS: Decisions = { bans: [], labels: [], audit: [] };

/** How many bans there may be, and as many labels. */
export const MOST_BANS = 10_000;

/** How many lines the audit keeps: the latest. */
export const MOST_AUDIT_LINES = 500;

/** Adds a ban; returns the same object if it is there already. Throws a ServiceError `too_many_bans`. */
export function withBan(now: Decisions, ban: Ban, asker: Acting = {}): Decisions {
  if (now.bans.some((each) => each.ban === ban.ban)) return now;
  if (now.bans.length >= MOST_BANS) throw new ServiceError('too_many_bans');
  const line = { at: ban.createdAt, author: ban.author, ...asker, action: 'ban_added', ban } as const;
  return withAudit({ ...now, bans: [...now.bans, ban] }, line);
}

/** Gives a label; returns the same object if the rule is there already. Throws a ServiceError `too_many_labels`. */
export function withLabel(now: Decisions, label: LabelRule, asker: Acting = {}): Decisions {
  if (now.labels.some((each) => each.rule === label.rule)) return now;
  if (now.labels.length >= MOST_BANS) throw new ServiceError('too_many_labels');
  const line = { at: label.createdAt, author: label.author, ...asker, action: 'label_added', label } as const;
  return withAudit({ ...now, labels: [...now.labels, label] }, line);
}

/** Lifts a ban; returns undefined if there is no such ban. */
export function withoutBan(
  now: Decisions,
  banId: string,
  author: string,
  at: number,
  asker: Acting = {},
): Decisions | undefined {
  const ban = now.bans.find((each) => each.ban === banId);
  if (ban === undefined) return undefined;
  const line = { at, author, ...asker, action: 'ban_removed', ban } as const;
  return withAudit({ ...now, bans: now.bans.filter((each) => each !== ban) }, line);
}

/** Takes a label back; returns undefined if there is no such rule. */
export function withoutLabel(
  now: Decisions,
  ruleId: string,
  author: string,
  at: number,
  asker: Acting = {},
): Decisions | undefined {
  const label = now.labels.find((each) => each.rule === ruleId);
  if (label === undefined) return undefined;
  const line = { at, author, ...asker, action: 'label_removed', label } as const;
  return withAudit({ ...now, labels: now.labels.filter((each) => each !== label) }, line);
}

/** Drops the rules that have expired; returns the same object if there are none. */
export function withoutExpired(now: Decisions, at: number): Decisions {
  const isOver = ({ expiresAt = Infinity }: Rule): boolean => expiresAt <= at;
  const bans = now.bans.filter(isOver);
  const labels = now.labels.filter(isOver);
  if (bans.length + labels.length === 0) return now;
  return withAudit(
    {
      ...now,
      bans: now.bans.filter((ban) => !isOver(ban)),
      labels: now.labels.filter((label) => !isOver(label)),
    },
    ...bans.map((ban) => ({ at, author: '', action: 'ban_expired', ban }) as const),
    ...labels.map((label) => ({ at, author: '', action: 'label_expired', label }) as const),
  );
}

export function withAudit(now: Decisions, ...lines: readonly AuditLine[]): Decisions {
  return { ...now, audit: [...now.audit, ...lines].slice(-MOST_AUDIT_LINES) };
}
