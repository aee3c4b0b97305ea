/**
 * Changes of the list as JSON: the members that the answer to a poll and the event of a stream have in common. The whole
 * list is rendered chunk by chunk; without filters a chunk is rendered and compressed once, however many lists it is in.
 * Nothing here holds the event loop. Knows nothing of its readers.
 */

import { inTurns } from '../registry/in-turns.ts';
import type { Chunk } from '../registry/snapshot/chunk.ts';
import type { Row } from '../registry/snapshot/row.ts';
import type { ListPosition, Snapshot } from '../registry/snapshot/snapshot.ts';
import { changesSince, type Changes } from './changes.ts';
import type { Filters } from './filters.ts';
import { renderServer } from './render-server.ts';
import { SharedText, TextPart } from './shared-text.ts';
import { formatTag } from './tag.ts';

/** So many rows, or ids, are one part of a text. */
const ROWS_OF_A_PART = 256;

export interface ChangesText {
  /** The members of a JSON object. */
  readonly text: SharedText;
  /** Whether a client that has the list before it learns nothing from it. */
  readonly isEmpty: boolean;
}

/** Renders a row as JSON. */
export type RenderRow = (row: Row) => string;

const COMMA = new TextPart(',');

/** Those of chunks without filters. A chunk lives as long as a Snapshot that has it. */
const partsOfChunks = new WeakMap<Chunk, TextPart>();

/** What a client needs that has the list at `since`: the whole list, if that is undefined or not known any more. */
export async function renderChangesSince(
  snapshot: Snapshot,
  since: ListPosition | undefined,
  filters: Filters,
): Promise<ChangesText> {
  const changes = changesSince(snapshot, since, filters);
  if (changes !== undefined) return renderChanges(changes, snapshot);
  return { text: await renderList(snapshot, filters), isEmpty: false };
}

/** `position`: of the list that the changes lead to. `render` may remember what it has rendered. */
export async function renderChanges(
  { servers, removed }: Changes,
  position: ListPosition,
  render: RenderRow = (row) => renderServer(row),
): Promise<ChangesText> {
  const serverParts = await renderAll(servers, render);
  const idParts = await renderAll(removed, (id) => JSON.stringify(id));
  return {
    text: compose(serverParts, idParts, false, position),
    isEmpty: servers.length === 0 && removed.length === 0,
  };
}

/** All servers that match. */
export async function renderList(snapshot: Snapshot, filters: Filters): Promise<SharedText> {
  const parts: TextPart[] = [];
  for await (const chunk of inTurns(snapshot.chunks)) {
    const part = filters.isEmpty
      ? partOf(chunk)
      : partOfRows(chunk.rows.filter((row) => filters.matches(row)));
    if (part !== undefined) parts.push(part);
  }
  return compose(parts, [], true, snapshot);
}

function partOf(chunk: Chunk): TextPart {
  let part = partsOfChunks.get(chunk);
  if (part === undefined) {
    part = partOfRows(chunk.rows)!;
    partsOfChunks.set(chunk, part);
  }
  return part;
}

function partOfRows(rows: readonly Row[]): TextPart | undefined {
  return rows.length === 0 ? undefined : new TextPart(rows.map((row) => renderServer(row)).join(','));
}

async function renderAll<T>(all: readonly T[], render: (each: T) => string): Promise<TextPart[]> {
  const parts: TextPart[] = [];
  for await (const some of inTurns(slicesOf(all))) parts.push(new TextPart(some.map(render).join(',')));
  return parts;
}

function* slicesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += ROWS_OF_A_PART)
    yield all.slice(start, start + ROWS_OF_A_PART);
}

function compose(
  servers: readonly TextPart[],
  removed: readonly TextPart[],
  full: boolean,
  position: ListPosition,
): SharedText {
  return new SharedText([
    new TextPart('"servers":['),
    ...joined(servers),
    new TextPart('],"removed":['),
    ...joined(removed),
    new TextPart(`],"full":${full},"tag":${JSON.stringify(formatTag(position))}`),
  ]);
}

function joined(parts: readonly TextPart[]): TextPart[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]));
}
