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

/** Each import of a file by another one, types too, and files that are loaded later: both as paths from the root. */
function imports() {
  return [...sourcesIn('src'), ...sourcesIn(CLIENT)].flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)].map(([, target]) => ({
      path,
      imported: posix.join(dirname(path), target),
    })),
  );
}

/** Each import that goes from one room to another, with both rooms. */
export function importsBetweenRooms() {
  return imports()
    .map((each) => ({ ...each, from: roomOf(each.path), to: roomOf(each.imported) }))
    .filter(({ from, to }) => from !== to);
}

/** The files that lead back to themselves by imports. Files that are in no circle are taken away until none is left. */
export function filesInCircles() {
  let left = imports();
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const [importing, imported] = [
      new Set(left.map((each) => each.path)),
      new Set(left.map((each) => each.imported)),
    ];
    left = left.filter((each) => importing.has(each.imported) && imported.has(each.path));
  }
  return [...new Set(left.map(({ path }) => path))];
}

/** The imports from a room that is not below. */
export function importsUpwards(between = importsBetweenRooms()) {
  return between.filter(({ from, to }) => ORDER.indexOf(to) >= ORDER.indexOf(from) || !ORDER.includes(to));
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
  const between = importsBetweenRooms();
  const arrows = new Map();
  for (const { from, to } of between) {
    const arrow = `${from} -> ${to}`;
    arrows.set(arrow, (arrows.get(arrow) ?? 0) + 1);
  }
  for (const [arrow, count] of [...arrows].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    process.stdout.write(`${arrow}  ${count}\n`);
  const upwards = importsUpwards(between);
  for (const { path, imported } of upwards) process.stdout.write(`upwards: ${path} imports ${imported}\n`);
  const rooms = new Set(between.flatMap(({ from, to }) => [from, to]));
  for (const path of filesInCircles()) process.stdout.write(`in a circle: ${path}\n`);
  process.stdout.write(`${rooms.size} rooms, ${arrows.size} arrows, ${upwards.length} imports upwards\n`);
}
