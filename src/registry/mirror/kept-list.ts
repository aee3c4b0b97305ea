/**
 * The last list of each origin in a file, so that a mirror that starts while all of them are away has a list to give.
 * It is replaced as a whole, and is of no use to anything but a mirror: one that is damaged counts as none.
 */

import { open, readFile, rename, rm } from 'node:fs/promises';
import { parseMembers } from '../../../clients/typescript/src/feed/changes-answer.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { inTurns } from '../snapshot/in-turns.ts';
import type { ReadEntry } from './origin.ts';
import type { OriginEntry } from './union.ts';

/** What is kept of one origin. */
export interface KeptOrigin {
  readonly name: string;
  readonly url: string;
  /** The tag of its list; undefined if it has to be told anew. */
  readonly tag: string | undefined;
  /** As of when the list is, ms since the epoch. */
  readonly asOf: number;
  readonly entries: Iterable<OriginEntry>;
}

const HEAD = '{"is":"the last list of a mirror of GSLS","format":1}';
const END = '{"end":true}';
/** How much is written at once, in characters. */
const PART_CHARACTERS = 256 * 1024;
/** Others never get access: the list may be of a registry with keys. */
const MODE = 0o600;

/** Replaces the file. Rejects with Node's error if it cannot; the file is then as it was. */
export async function keepList(path: string, origins: readonly KeptOrigin[]): Promise<void> {
  const newPath = `${path}.new`;
  const file = await open(newPath, 'w', MODE);
  try {
    let part = `${HEAD}\n`;
    const write = async (): Promise<void> => {
      await file.writeFile(part);
      part = '';
    };
    for (const { entries, ...origin } of origins) {
      part += `${JSON.stringify({ kept: origin })}\n`;
      for (const entry of entries) {
        part += `${JSON.stringify(toServer(entry))}\n`;
        if (part.length >= PART_CHARACTERS) await write();
      }
    }
    part += `${END}\n`;
    await write();
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(newPath, { force: true }).catch(() => undefined);
    throw error;
  }
  await file.close();
  await rename(newPath, path);
}

/** What the file has; undefined if there is none. Throws an Error for one that keepList() has not written. */
export async function readKeptList(
  path: string,
  read: ReadEntry,
): Promise<readonly KeptOrigin[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  if (lines[0] !== HEAD || lines.at(-2) !== END) throw new Error('it is damaged, or no list of a mirror');
  const origins: (Omit<KeptOrigin, 'tag'> & { tag: string | undefined; readonly entries: OriginEntry[] })[] =
    [];
  await inTurns(lines.slice(1, -2), (line) => {
    const { kept, ...server } = parseMembers(line);
    if (kept !== undefined) origins.push({ ...(kept as KeptOrigin), entries: [] });
    else {
      const its = origins.at(-1);
      const entry = its && read(server as ListedServer, its.name);
      if (entry !== undefined) its!.entries.push(entry);
      // Nobody would tell of it again before it changes.
      else if (its !== undefined) its.tag = undefined;
    }
  });
  return origins;
}

/** The entry as `GET /changes` would tell it. */
function toServer({ id, registeredVersion, ...gameServer }: OriginEntry): object {
  const { host, name, port, ip, players, maxPlayers: most, details, labels } = gameServer;
  const registered = new Date(Math.floor(registeredVersion / 1000)).toISOString();
  return {
    id,
    host,
    name,
    port,
    ip,
    players,
    max_players: most,
    ...details.fields,
    labels,
    registered_at: registered,
  };
}
