/**
 * The format of a data file: a header that names the format, then lines of JSON, each with one change. No other code
 * knows the words of the file that differ from those of the code: a tombstone is `left` there, as are the settings and
 * the history, under ids that no game server has; and a registeredVersion is `registeredAt`. Each line is checked when
 * it is read: it is input like any other.
 */

import { Ajv, type ValidateFunction } from 'ajv';
import { MOST_DOCUMENT_BYTES } from '../native-entries.ts';
import { Details } from '../../model/fields/details.ts';
import { broadcastSchema, removeSchema, VERSION_LIMIT } from '../../model/game-server.ts';
import { HISTORY_STEPS, type HistoryStep } from '../history-record.ts';
import { parseIp } from '../../model/net/ip.ts';
import {
  SETTINGS_ID,
  type Change,
  type VersionsPast,
  type HistoryChange,
  type ServerHistoryChange,
  type ListedChange,
  type ReportsChange,
  type SettingsChange,
} from '../memory/journal.ts';
import { formatDecisions, parseDecisions } from '../decisions/decisions-document.ts';
import { formatVoices, parseVoices } from '../reports/voices.ts';

const FORMAT = 1;

/** The first line of a file, with its line end. */
export const HEADER = `{"gsls":"registry","format":${FORMAT}}\n`;

/** The first bytes of the line that has the settings. */
export const SETTINGS_BEGIN = Buffer.from(`{"is":"left","id":"${SETTINGS_ID}",`);

/** Checks the first line of a file. Throws, with a message for people, if it is no header of this format. */
export function checkHeader(line: Buffer): void {
  const header = parseJson(line) as { gsls?: unknown; format?: unknown } | undefined;
  if (header?.gsls !== 'registry') throw new Error('it is no data file of GSLS');
  if (header.format === FORMAT) return;
  if (typeof header.format !== 'number') throw new Error('line 1 of it is damaged');
  throw new Error(`it has format ${header.format}, and this version of GSLS knows only ${FORMAT}`);
}

/** Renders a change as its line, with the line end. */
export function formatChange(change: Change): string {
  return `${JSON.stringify(toLine(change))}\n`;
}

/**
 * Parses a line without its end; returns undefined if it is damaged. Throws, with a message for people, if a release
 * before 0.14 wrote it.
 */
export function parseChange(line: Buffer): Change | undefined {
  const value = parseJson(line) as Line | undefined;
  const isValid = typeof value?.is === 'string' ? checks.get(value.is) : undefined;
  return value !== undefined && isValid?.(value) === true ? fromLine(value) : undefined;
}

/** A change in the words of the file. */
type Line =
  | { readonly is: 'left'; readonly id: string; readonly [field: string]: unknown }
  | { readonly is: 'listed' | 'expired'; readonly registeredAt: number; readonly [field: string]: unknown };

function toLine(change: Change): object {
  if (change.is === 'tombstone') return { ...change, is: 'left' };
  if (change.is === 'settings') {
    const { id, secret, moderation, feed } = change;
    return { is: 'left', id, secret, moderation: formatDecisions(moderation), feed };
  }
  if (change.is === 'history') {
    const { id, points } = change;
    return {
      is: 'left',
      id,
      points: points.map(({ time, servers, players, peak }) => [time, servers, players, peak]),
    };
  }
  if (change.is === 'server_histories') {
    const parts = change.parts.map(([id, text]) => [id, Buffer.from(text, 'latin1').toString('base64')]);
    // An older release reads a tombstone.
    return { is: 'left', id: change.id, version: 0, parts };
  }
  if (change.is === 'reports') {
    const { id, about, voices } = change;
    return { is: 'left', id, version: 0, about, voices: formatVoices(voices) };
  }
  const { is, id, registeredVersion, details, ...more } = change;
  const { document, ...rest } = more as Omit<ListedChange, 'is' | 'id' | 'registeredVersion' | 'details'>;
  return {
    is,
    id,
    registeredAt: registeredVersion,
    ...rest,
    ...(details.text !== '' && { details: details.text }),
    ...(document !== undefined && { document: Buffer.from(document).toString('base64') }),
  };
}

function fromLine(line: Line): Change | undefined {
  if (line.is === 'left') {
    const { id, version } = line;
    const [, step] = HISTORY_ID.exec(id) ?? [];
    if (step !== undefined) return toHistory(line, step as HistoryStep);
    if (id === SETTINGS_ID) return toSettings(line);
    if (id.startsWith('histories-')) return toServerHistories(line);
    if (id.startsWith('reports-')) return toReports(line);
    if (version === undefined)
      throw new Error('it is of a release before 0.14: run 0.14 on it first, which writes it anew');
    return { is: 'tombstone', id, version: Number(version) };
  }
  const { registeredAt, details = '', document, ...rest } = line;
  const text = details as string;
  return {
    ...rest,
    registeredVersion: registeredAt,
    details: Details.parse(text),
    ...(document !== undefined && { document: Buffer.from(document as string, 'base64').toString() }),
  } as unknown as Change;
}

function toSettings({ secret, moderation: text, feed }: Line): SettingsChange | undefined {
  const moderation = parseDecisions(String(text));
  if (typeof secret !== 'string' || secret === '' || moderation === undefined) return undefined;
  return {
    is: 'settings',
    id: SETTINGS_ID,
    secret,
    moderation,
    ...(isFeedPast(feed) && { feed }),
  };
}

const HISTORY_ID = /^history-(minute|hour)-\d+$/;

function toHistory({ id, points }: Line, step: HistoryStep): HistoryChange | undefined {
  if (!arePoints[step](points)) return undefined;
  return {
    is: 'history',
    id: id as HistoryChange['id'],
    step,
    points: points.map(([time, servers, players, peak]) => ({ time, servers, players, peak })),
  };
}

/** Without parts, as an older release leaves it, it says nothing. */
function toServerHistories({ id, parts = [] }: Line): ServerHistoryChange | undefined {
  if (!areParts(parts)) return undefined;
  return {
    is: 'server_histories',
    id: id as ServerHistoryChange['id'],
    parts: parts.map(([of, text]) => [of, Buffer.from(text, 'base64').toString('latin1')]),
  };
}

function toReports({ id, about, voices = '' }: Line): ReportsChange {
  return {
    is: 'reports',
    id: id as ReportsChange['id'],
    about: String(about),
    voices: parseVoices(String(voices)),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns undefined for anything that is no JSON, and for null. */
function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(line)) ?? undefined;
  } catch {
    return undefined;
  }
}

const ajv = new Ajv();
ajv.addFormat('text', true);
ajv.addFormat('count', true);
ajv.addFormat('ip', (text: string) => parseIp(text) === text);

const { server_host, server_name, server_port, server_ip, players, max_players } = broadcastSchema.properties;
const id = removeSchema.properties.server_id;
const count = { type: 'integer', minimum: 0 };
const listed = {
  id,
  registeredAt: count,
  host: server_host,
  name: server_name,
  port: server_port,
  ip: server_ip,
  players,
  maxPlayers: max_players,
  version: count,
  isClaimed: { type: 'boolean' },
  client: { type: 'string', maxLength: 64 },
  reachability: { type: 'string', maxLength: 64 },
};
const optional = {
  seen: { type: 'object', required: ['players', 'at'], properties: { players, at: count } },
  details: { type: 'string' },
  /** The document is in base64: as JSON within JSON it could be longer than a line may be. */
  document: { type: 'string', maxLength: 2 * MOST_DOCUMENT_BYTES },
  parkedAt: { type: 'number', minimum: 0 },
};

const checks = new Map<string, ValidateFunction>([
  ['listed', createCheck(listed, optional)],
  ['expired', createCheck({ ...listed, expiresAt: { type: 'number', minimum: 0 } }, optional)],
  ['left', createCheck({ id }, { version: { type: 'number', minimum: 0 } })],
]);

const version = { type: 'number', minimum: 0, maximum: VERSION_LIMIT };
const isFeedPast = ajv.compile<VersionsPast>({
  type: 'object',
  required: ['epoch', 'continues', 'shownVersion', 'hidesUnreached'],
  properties: {
    epoch: { type: 'string' },
    continues: {
      type: 'array',
      items: { type: 'array', items: [{ type: 'string' }, version], minItems: 2, maxItems: 2 },
    },
    shownVersion: version,
    hidesUnreached: { type: 'boolean' },
    showsSeenPlayers: { type: 'boolean' },
  },
});

type PointInFile = [time: number, servers: number, players: number, peak: number];
const arePoints = { minute: createPointsCheck('minute'), hour: createPointsCheck('hour') };

function createPointsCheck(step: HistoryStep): ValidateFunction<PointInFile[]> {
  const number = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  const time = { ...number, multipleOf: HISTORY_STEPS[step].ms };
  return ajv.compile({
    type: 'array',
    items: { type: 'array', items: [time, number, number, number], minItems: 4, maxItems: 4 },
  });
}

const areParts = ajv.compile<[id: string, text: string][]>({
  type: 'array',
  items: { type: 'array', items: [{ type: 'string' }, { type: 'string' }], minItems: 2, maxItems: 2 },
});

/** Compiles a check of a line. As in requests, unknown fields are ignored. */
function createCheck(required: object, further: object = {}): ValidateFunction {
  const properties = { ...required, ...further };
  return ajv.compile({ type: 'object', required: Object.keys(required), properties });
}
