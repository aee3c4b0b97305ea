/**
 * The entry of a game server in the list: the document that Luanti's clients read, the facts that are kept from one
 * announcement to the next, and the place by score, all by luanti-org/serverlist, server.py (class Server).
 */

import { cleanText } from '../clean-text.ts';
import { valuesIn, type Values } from '../json-document.ts';
import { Details } from '../../model/fields/details.ts';
import type { GameServer } from '../../model/game-server.ts';
import { areRead, isU16, type Announced, type Said } from './announcement.ts';

/** The numbers that an entry remembers in its details. */
export interface KeptEntry {
  /** How many announcements there were, and the players of all of them together. */
  readonly announcements: number;
  readonly clientsTotal: number;
  /** The most players in one announcement. */
  readonly clientsTop: number;
  /** The uptime in s. */
  readonly uptime: number;
  /** The score by which entries are listed, the highest first. */
  readonly score: number;
}

/** The state of an entry after its earlier announcements. */
export interface Before {
  readonly kept: KeptEntry;
  /** Undefined if this replica does not have it. */
  readonly document: string | undefined;
}

/** A game server that has answered. */
export interface Checked {
  /** The address that is shown to players. */
  readonly address: string;
  /** How long its answer took, in s. */
  readonly ping: number;
}

export interface LuantiEntry {
  readonly document: string;
  readonly kept: KeptEntry;
}

/** The fields that a game server sends only at its start, and that an update carries over. */
const STARTUP_FIELDS = ['dedicated', 'rollback', 'mapgen', 'privs', 'can_see_far_names', 'mods'] as const;

export function createListEntry(
  { action, port, said }: Announced,
  { address, ping }: Checked,
  before: Before | undefined,
): LuantiEntry {
  const isUpdate = action === 'update' && before !== undefined;
  const announcements = (before?.kept.announcements ?? 0) + 1;
  const clientsTotal = (before?.kept.clientsTotal ?? 0) + said.clients;
  const clientsTop = Math.max(before?.kept.clientsTop ?? 0, said.clients);
  const average = roundHalfToEven(clientsTotal / announcements);
  const uptime = isUpdate ? said.uptime : 0;
  const pingSeconds = Math.round(ping * 1e5) / 1e5;
  const entry = {
    ...said,
    ...(isUpdate && startupFieldsOf(before.document)),
    uptime,
    ping: pingSeconds,
    clients_top: clientsTop,
    pop_v: average,
    address,
    port,
  };
  const score = Math.round(scoreOf(said, pingSeconds, average) * 1000) / 1000;
  return {
    document: JSON.stringify(entry),
    kept: { announcements, clientsTotal, clientsTop, uptime, score },
  };
}

/** Whether a document with these values is one that createListEntry() makes. */
export function areOfEntry({ ping, clients_top: top, pop_v: average, port, ...fields }: Values): boolean {
  return typeof ping === 'number' && ping >= 0 && [top, average, port].every(isU16) && areRead(fields);
}

/** The fields in a document of this protocol; none in another one. */
function startupFieldsOf(document = ''): Partial<Said> {
  const fields = (valuesIn(document, areOfEntry) ?? {}) as Partial<Said>;
  return Object.fromEntries(
    STARTUP_FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

const MONTH_S = 60 * 60 * 24 * 30;

/** The points that place a game server in the list. `average`: its players over all announcements. */
export function scoreOf(said: Said, ping: number, average: number): number {
  const { clients, clients_max: most, game_time: age, proto_min: oldest, proto_max: newest } = said;
  const points =
    clients -
    // Players should spread out: those above 80 % of the places earn no points.
    Math.max(0, clients - Math.floor(most * 0.8)) +
    Math.min(8, age / MONTH_S) +
    Math.min(4, average / 2) -
    // No real server has so many places.
    (most > 200 ? 8 : 0) -
    Math.max(0, ping - 0.4) * 8;
  // The server accepts clients of 0.4 and of 5.0 alike.
  return oldest <= 32 && newest > 36 ? points * 0.6 : points;
}

/** Rounds as Python does. */
function roundHalfToEven(value: number): number {
  const down = Math.floor(value);
  return value - down === 0.5 ? down + (down % 2) : Math.round(value);
}

/** Undefined if another program has put something else in its place. */
export function parseKept(value: unknown): KeptEntry | undefined {
  const kept = (value ?? {}) as { readonly [Name in keyof KeptEntry]?: unknown };
  const numbers = [kept.announcements, kept.clientsTotal, kept.clientsTop, kept.uptime, kept.score];
  return numbers.every(Number.isFinite) ? (kept as KeptEntry) : undefined;
}

/** Colours and translations, as in `\x1b(c@#f00)`: luanti-org/luanti, src/util/string.h, unescape_enriched(). */
const ESCAPES = new RegExp(String.raw`\x1b(?:\((?:\\[^]|[^\\)])*\)?|[^])?`, 'g');

const cleaned = (text: string, mostLength: number): string =>
  cleanText(text.replaceAll(ESCAPES, ''), mostLength);

/** The game server as lists and the page show it. */
export function describeEntry(
  { port, said }: Announced,
  address: string,
  ip: string,
  kept?: KeptEntry,
): GameServer {
  const game = cleaned(said.gameid, 64);
  const version = cleaned(said.version, 64);
  const tags = (['creative', 'damage', 'pvp'] as const).filter((tag) => said[tag] === true);
  return {
    host: address,
    name: cleaned(said.name, 128) || address,
    port,
    ip,
    players: said.clients,
    maxPlayers: said.clients_max,
    details: Details.of({
      ...(game !== '' && { game }),
      ...(version !== '' && { version }),
      ...(said.password !== undefined && { password: said.password }),
      tags,
      ...(kept && { kept: { ...kept } }),
    }),
  };
}
