/** The JSON that moderators get: times in ISO 8601, names as the list has them. */

import type { ListedGameServer } from '../../model/game-server.ts';
import type {
  AuditLine,
  Ban,
  Decisions,
  LabelRule,
  RemovedServer,
} from '../../registry/decisions/decisions.ts';
import type { Voice } from '../../registry/reports/voices.ts';
import { renderServer } from '../find/render-server.ts';
import { timeText } from '../http/time-text.ts';
import { playersGapOf, type EntryFacts } from './entry-facts.ts';
import type { Refusals } from './refusal-record.ts';

export function renderBan(given: Ban): object {
  const { ban, reason, mode, author } = given;
  return { ban, reason, mode, author, ...renderRule(given) };
}

export function renderLabel(given: LabelRule): object {
  const { rule, label, reason, author } = given;
  return { rule, label, reason, author, ...renderRule(given) };
}

function renderRule({ id, address, host, name, createdAt, expiresAt }: Ban | LabelRule): object {
  const end = expiresAt === undefined ? undefined : timeText(expiresAt);
  return { id, address, host, name, created_at: timeText(createdAt), expires_at: end };
}

/** Renders lines of the audit, and whether the rule that each is about is in force. */
export function createLineRenderer({ bans, labels }: Decisions): (line: AuditLine) => object {
  const inForce = new Set([...bans.map(({ ban }) => ban), ...labels.map(({ rule }) => rule)]);
  return (line) => {
    const { at, author, from, key, action } = line;
    const rule = 'ban' in line ? line.ban.ban : 'label' in line ? line.label.rule : undefined;
    const isInForce = rule === undefined ? undefined : inForce.has(rule);
    return { at: timeText(at), author, from, key, action, in_force: isInForce, ...subjectOf(line) };
  };
}

function subjectOf(line: AuditLine): object {
  if ('ban' in line) return { ban: renderBan(line.ban) };
  return 'label' in line ? { label: renderLabel(line.label) } : { server: line.server };
}

/**
 * The entry as lists have it, but with the players that it says, and what only moderators see, as JSON: a page has up
 * to a thousand of them.
 */
export function renderEntry(
  entry: ListedGameServer,
  { client, network, ban, hiddenBy, voices }: EntryFacts,
  notReached: string | undefined,
  refusals: readonly Refusals[],
): string {
  const { isClaimed, reachability } = entry;
  const more = {
    players_gap: playersGapOf(entry),
    claimed: isClaimed,
    reachability: reachability === '' ? undefined : reachability,
    client,
    network,
    shown: hiddenBy === undefined,
    hidden_by: hiddenBy,
    ban: ban?.ban,
    not_reached: notReached,
    refusals: refusals.map(renderRefusals),
    reports: voices.length === 0 ? undefined : renderVoices(voices),
  };
  return `${renderServer({ ...entry, shownPlayers: undefined }).slice(0, -1)},${JSON.stringify(more).slice(1)}`;
}

/** How many networks say which reason, and the latest notes. */
export function renderVoices(voices: readonly Voice[]): object {
  const reasons: Record<string, number> = {};
  for (const { reason } of voices) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const notes = voices.flatMap(({ note, at }) => (note === undefined ? [] : [{ note, at: timeText(at) }]));
  return {
    count: voices.length,
    reasons,
    latest_at: timeText(voices.at(-1)!.at),
    notes: notes.toReversed(),
  };
}

/** How often requests from the network of the client were refused. */
function renderRefusals({ code, count, at }: Refusals): object {
  return { code, count, at: timeText(at) };
}

/** The part of an entry that the audit keeps. */
export function removedServer({ id, host, name, port, ip }: ListedGameServer): RemovedServer {
  return { id, host, name, port, ip };
}
