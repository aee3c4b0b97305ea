/**
 * The file of `gsls announce`: many game servers, and what counts for all of them. Each word is a flag without its
 * dashes. Knows no value of an option.
 */

import { layerOf, type AnnounceOptionName, type Layer } from './announce-layers.ts';
import { ANNOUNCE_OPTIONS } from './announce-options.ts';
import { GAME_SERVER_OPTIONS } from './announced-server-options.ts';
import { readJson, type ReadFile } from './option-files.ts';
import { UsageError } from './option.ts';

/** Where a game server says what it is: one of these. */
export const SOURCES = ['query', 'exec', 'state'] as const;
/** What no two game servers can have in common. */
export const OF_ONE = [...SOURCES, 'name', 'port'] as const;
const MOST_GAME_SERVERS = 10_000;
const ofTop = (Object.keys(ANNOUNCE_OPTIONS) as AnnounceOptionName[]).filter(
  (name) => name !== 'config' && !OF_ONE.some((each) => each === name),
);

/** Throws a UsageError that names the file, and the game server in it. */
export function readGameServers(
  path: string,
  readFile: ReadFile,
): { readonly defaults: Layer; readonly servers: readonly Layer[] } {
  const content = readJson('file of game servers', path, readFile);
  const { servers, ...top } = inFile(path, () => membersOf(content));
  if (!Array.isArray(servers) || servers.length === 0 || servers.length > MOST_GAME_SERVERS)
    throw new UsageError(
      `${path} must have a list "servers" with 1 to ${MOST_GAME_SERVERS} game servers, like {"to": "https://gsls.example.com", "servers": [{"query": "a2s 127.0.0.1:27015"}]}`,
    );
  const ofOne = Object.keys(GAME_SERVER_OPTIONS) as (keyof typeof GAME_SERVER_OPTIONS)[];
  return {
    defaults: inFile(path, () => layerOf(top, ofTop)),
    servers: servers.map((server: unknown, at) =>
      inFile(`${path}, game server ${at + 1}`, () => layerOf(membersOf(server), ofOne)),
    ),
  };
}

/** Throws an Error whose message goes behind where that is. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new Error('must be a JSON object');
}

/** Says where in the file something is wrong. */
export function inFile<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message}`);
  }
}
