/**
 * Changes as lines of JSON in a file, after a header that says whose file it is. What is read is checked: it is
 * input like any other. Knows nothing of when a file is written.
 */

import { Ajv, type ValidateFunction } from 'ajv';
import { createReadStream } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { broadcastSchema, LATEST_VERSION_BY_CLOCK, removeSchema, type GameServerId } from '../game-server.ts';
import { parseIp } from '../ip.ts';
import type { Change } from '../memory/journal.ts';

const FORMAT = 1;
export const HEADER = `{"gsls":"registry","format":${FORMAT}}\n`;

/** These take about a millisecond. */
const LINES_AT_A_TIME = 500;

/** No change comes near it: a file with longer lines is none of ours. */
const LONGEST_LINE_BYTES = 65_536;

/**
 * Writes the text and a line for each change where the file stands, many of them with pauses in which others
 * have the event loop. Resolves with the number of bytes.
 */
export async function writeLines(file: FileHandle, changes: Iterable<Change>, text = ''): Promise<number> {
  let bytes = 0;
  let lines = text;
  let count = 0;
  const flush = async (): Promise<void> => {
    const piece = Buffer.from(lines);
    lines = '';
    await file.writeFile(piece);
    bytes += piece.length;
  };
  for (const change of changes) {
    lines += `${JSON.stringify(toLine(change))}\n`;
    count += 1;
    if (count % LINES_AT_A_TIME === 0) await flush();
  }
  if (lines !== '') await flush();
  return bytes;
}

export interface ReadChanges {
  /** The last change of each id, in the order they happened. */
  readonly changes: Map<GameServerId, Change>;
  /** Whether the file ended in the middle of a line, which is left out. */
  readonly isTorn: boolean;
  /** Whether places in the list were beyond any that can be, and all were given new ones in the same order. */
  readonly isRenumbered: boolean;
}

/** No file, or an empty one, holds no changes. Rejects, with a message for people, when it is anything but ours and whole. */
export async function readChanges(path: string): Promise<ReadChanges> {
  const changes = new Map<GameServerId, Change>();
  if (!(await hasContent(path))) return { changes, isTorn: false, isRenumbered: false };
  let number = 0;
  const take = (line: Buffer): void => {
    number += 1;
    if (number === 1) checkHeader(line);
    else keepLast(changes, parseChange(line, number));
  };

  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      take(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > LONGEST_LINE_BYTES) take(rest);
  }
  if (number === 0) checkHeader(rest);
  return { changes, isTorn: rest.length > 0, isRenumbered: renumber(changes) };
}

/** From versions too near to the largest integers none would follow. Only their order has a meaning after a start. */
function renumber(changes: Map<GameServerId, Change>): boolean {
  const placed = [...changes.values()].filter((change) => change.is !== 'left');
  if (placed.every(({ registeredVersion }) => registeredVersion <= LATEST_VERSION_BY_CLOCK)) return false;
  for (const [index, change] of placed
    .toSorted((a, b) => a.registeredVersion - b.registeredVersion)
    .entries())
    changes.set(change.id, { ...change, registeredVersion: index + 1 });
  return true;
}

/** At the end, although an earlier change of the id may be there already. */
export function keepLast(changes: Map<GameServerId, Change>, change: Change): void {
  changes.delete(change.id);
  changes.set(change.id, change);
}

async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return false;
  if (!stats.isFile()) throw new Error(`it is ${stats.isDirectory() ? 'a directory' : 'no regular file'}`);
  // Replaced under this name, it would go on with what it was under the others, where another process may use it.
  if (stats.nlink > 1)
    throw new Error(`it has ${stats.nlink} names (hard links): delete the others, or make copies of it`);
  return stats.size > 0;
}

function checkHeader(line: Buffer): void {
  const header = parseJson(line) as { gsls?: unknown; format?: unknown } | undefined;
  if (header?.gsls !== 'registry') throw new Error('it is no data file of GSLS');
  if (header.format === FORMAT) return;
  if (typeof header.format !== 'number') throw new Error('line 1 of it is damaged');
  throw new Error(`it has format ${header.format}, and this version of GSLS knows only ${FORMAT}`);
}

/** In files of this format the version of a registration is called `registeredAt`. */
function toLine(change: Change): object {
  if (change.is === 'left') return change;
  const { is, id, registeredVersion: registeredAt, ...rest } = change;
  return { is, id, registeredAt, ...rest };
}

function parseChange(line: Buffer, number: number): Change {
  const value = parseJson(line) as { is?: unknown; registeredAt?: number } | undefined;
  const isValid = typeof value?.is === 'string' ? checks.get(value.is) : undefined;
  if (value === undefined || isValid?.(value) !== true) throw new Error(`line ${number} of it is damaged`);
  const { registeredAt, ...rest } = value;
  return (registeredAt === undefined ? rest : { ...rest, registeredVersion: registeredAt }) as Change;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
const listed = {
  id,
  registeredAt: { type: 'integer', minimum: 0 },
  host: server_host,
  name: server_name,
  port: server_port,
  ip: server_ip,
  players,
  maxPlayers: max_players,
};

const checks = new Map<string, ValidateFunction>([
  ['listed', createCheck(listed)],
  ['expired', createCheck({ ...listed, expiresAt: { type: 'number', minimum: 0 } })],
  ['left', createCheck({ id })],
]);

/** As in requests, all fields are required and unknown ones are ignored. */
function createCheck(properties: object): ValidateFunction {
  return ajv.compile({ type: 'object', required: Object.keys(properties), properties });
}
