/**
 * Reads and writes the lines of a data file, with pauses in which other work gets the event loop. This file knows
 * neither what a line holds (file-format.ts) nor when a file is written.
 */

import { createReadStream } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { LATEST_VERSION_BY_CLOCK, type GameServerId } from '../../model/game-server.ts';
import type { Change } from '../memory/journal.ts';
import { checkHeader, formatChange, parseChange, SETTINGS_BEGIN } from './file-format.ts';

/** How many lines one write has: rendering them takes about a millisecond. */
const LINES_AT_A_TIME = 500;

/** The longest line, except that of the settings with all bans. No entry comes near it: a longer line is not ours. */
const LONGEST_LINE_BYTES = 65_536;

/** Appends `text` and a line for each change to the file. Resolves with the number of bytes. */
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
    lines += formatChange(change);
    count += 1;
    if (count % LINES_AT_A_TIME === 0) await flush();
  }
  if (lines !== '') await flush();
  return bytes;
}

export interface ReadChanges {
  /** The last change of each id, in the order in which they happened. */
  readonly changes: Map<GameServerId, Change>;
  /** Whether the file ended in the middle of a line, which `changes` leaves out. */
  readonly isTorn: boolean;
  /** Whether the places in the list got new numbers, in the same order. */
  readonly isRenumbered: boolean;
}

/**
 * Reads a file; a missing or empty one holds no changes. Rejects, with a message for people, if the file is not a whole
 * data file.
 */
export async function readChangeLines(path: string): Promise<ReadChanges> {
  const changes = new Map<GameServerId, Change>();
  if (!(await hasContent(path))) return { changes, isTorn: false, isRenumbered: false };
  let number = 0;
  const take = (line: Buffer): void => {
    number += 1;
    if (number === 1) return checkHeader(line);
    const change = parseChange(line);
    if (change === undefined)
      throw new Error(`line ${number} of it ${line.includes(0) ? zerosIn(path) : 'is damaged'}`);
    keepLast(changes, change);
  };

  // The pieces of a line whose end has not come yet.
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const piece = chunk.subarray(start, end);
      take(begun.length === 0 ? piece : Buffer.concat([...begun, piece]));
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
    if (isTooLong(begun)) take(Buffer.concat(begun));
  }
  if (number === 0) checkHeader(Buffer.concat(begun));
  return { changes, isTorn: begun.length > 0, isRenumbered: renumber(changes) };
}

/**
 * The way out of a power loss, after which a file has zeros where the disk did not get its bytes. Without `feed` all
 * clients load the list anew: nobody knows what was in the lines that are gone.
 */
function zerosIn(path: string): string {
  const command = `sed -i.damaged '/\\x00/d; s/,"feed":{.*/}/' '${path}'`;
  return (
    `has zeros, as after a power loss. To start without such lines, type: ${command} ` +
    `(it keeps the old file as ${path}.damaged). What these lines said is lost: ` +
    'game servers come back by themselves, bans have to be made anew'
  );
}

function isTooLong(pieces: readonly Buffer[]): boolean {
  if (lengthOf(pieces) <= LONGEST_LINE_BYTES) return false;
  return !Buffer.concat(pieces.slice(0, 2)).subarray(0, SETTINGS_BEGIN.length).equals(SETTINGS_BEGIN);
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

/** Adds a change in place of an earlier one with its id. The map is in the order in which its changes happened. */
export function keepLast(changes: Map<GameServerId, Change>, change: Change): void {
  changes.delete(change.id);
  changes.set(change.id, change);
}

/**
 * Numbers all versions anew if one is so large that it leaves no room for the next. After a start only their order
 * matters, except to clients that know the old versions: without `feed` they begin anew.
 */
function renumber(changes: Map<GameServerId, Change>): boolean {
  const placed = [...changes.values()].filter((change) => 'registeredVersion' in change);
  if (placed.every(({ registeredVersion, version }) => isInRange(registeredVersion) && isInRange(version)))
    return false;
  const ordered = placed.toSorted((a, b) => a.registeredVersion - b.registeredVersion);
  for (const [index, change] of ordered.entries())
    changes.set(change.id, { ...change, registeredVersion: index + 1, version: index + 1 });
  for (const change of changes.values()) {
    if (change.is === 'tombstone') changes.set(change.id, { ...change, version: 0 });
    if (change.is !== 'settings') continue;
    const { feed: _, ...rest } = change;
    changes.set(change.id, rest);
  }
  return true;
}

/** Whether the version leaves room for the next. */
function isInRange(version: number): boolean {
  return version <= LATEST_VERSION_BY_CLOCK;
}

async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return false;
  if (!stats.isFile()) throw new Error(`it is ${stats.isDirectory() ? 'a directory' : 'no regular file'}`);
  // A file is replaced under one name. Its other names would keep the old one, which another process may use.
  if (stats.nlink > 1)
    throw new Error(`it has ${stats.nlink} names (hard links): delete the others, or make copies of it`);
  return stats.size > 0;
}
