/**
 * `node scripts/arrows.mjs`: the arrows between the rooms at the top of src, and what is wrong with them. An arrow is a
 * pair of rooms with an import between them, types too. test/docs/map.test.ts holds them to the map in src/README.md.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = 'clients/typescript/src';

/** The rooms, from the ground up: each may import from those before it. The two files at the top may from all. */
export const ORDER = [
  'model',
  'runtime',
  CLIENT,
  'registry',
  'api',
  'protocols',
  'page',
  'service',
  'tools',
  'cli',
];

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Each import that goes from one room to another: both rooms, and both files as paths from the root. */
export function importsBetweenRooms() {
  return [...sourcesIn('src'), ...sourcesIn(CLIENT)].flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return [...text.matchAll(IMPORT)].flatMap(([, target]) => {
      const imported = posix.join(dirname(path), target);
      const [from, to] = [roomOf(path), roomOf(imported)];
      return from === to ? [] : [{ from, to, path, imported }];
    });
  });
}

/** The imports from a room that is not below. */
export function importsUpwards(imports = importsBetweenRooms()) {
  return imports.filter(({ from, to }) => ORDER.indexOf(to) >= ORDER.indexOf(from) || !ORDER.includes(to));
}

/** The files of TypeScript in a folder, as paths from the root. */
export function sourcesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => /\.tsx?$/.test(path));
}

function roomOf(path) {
  if (path.startsWith(CLIENT)) return CLIENT;
  const [, room, ...rest] = path.split('/');
  return rest.length === 0 ? 'cli' : room;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const imports = importsBetweenRooms();
  const arrows = new Map();
  for (const { from, to } of imports) {
    const arrow = `${from} -> ${to}`;
    arrows.set(arrow, (arrows.get(arrow) ?? 0) + 1);
  }
  for (const [arrow, count] of [...arrows].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    process.stdout.write(`${arrow}  ${count}\n`);
  const upwards = importsUpwards(imports);
  for (const { path, imported } of upwards) process.stdout.write(`upwards: ${path} imports ${imported}\n`);
  const rooms = new Set(imports.flatMap(({ from, to }) => [from, to]));
  process.stdout.write(`${rooms.size} rooms, ${arrows.size} arrows, ${upwards.length} imports upwards\n`);
}
