/**
 * Changes of the list as JSON: the members that the answer to a poll and the event of a stream have in common. The
 * whole list is rendered chunk by chunk. If a client wants no filters and no meta, each chunk is rendered and
 * compressed once, however many lists it is in.
 */

import type { Chunk } from '../../registry/snapshot/chunk.ts';
import type { Row } from '../../registry/snapshot/row.ts';
import type { ListPosition, Snapshot } from '../../registry/snapshot/snapshot.ts';
import { changesSince, type ClientChanges } from './list-changes.ts';
import { renderServer } from '../find/render-server.ts';
import { Selection } from '../find/selection.ts';
import { SharedText, TextPart } from '../work/shared-text.ts';
import { formatTag } from './tag.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';
import type { WantedList } from './wanted-list.ts';

/** How many rows, or ids, one part of a text holds. */
const ROWS_OF_A_PART = 256;

export interface ChangesText {
  /** The members of a JSON object. */
  readonly text: SharedText;
  /** Whether a client that has the list before it learns nothing new. */
  readonly isEmpty: boolean;
}

/** Renders a row as JSON. */
export type RenderRow = (row: Row) => string;

const COMMA = new TextPart(',');

/** The parts of whole chunks without meta. A chunk lives as long as any Snapshot that has it. */
const partsOfChunks = new WeakMap<Chunk, TextPart>();

/** The changes for a client that has the list at `since`; the whole list if `since` is undefined or no longer known. */
export function* renderChangesSince(
  snapshot: Snapshot,
  since: ListPosition | undefined,
  wanted: WantedList,
): Work<ChangesText> {
  const changes = yield* changesSince(snapshot, since, wanted.filters);
  if (changes !== undefined) return yield* renderChanges(changes, snapshot, rendererOf(wanted));
  return { text: yield* renderWholeList(snapshot, wanted), isEmpty: false };
}

/** `position`: the list that the changes lead to. `render` may remember what it has rendered. */
export function* renderChanges(
  { servers, removed }: ClientChanges,
  position: ListPosition,
  render: RenderRow,
): Work<ChangesText> {
  const serverParts = yield* renderAll(servers, render);
  const idParts = yield* renderAll(removed, (id) => JSON.stringify(id));
  return {
    text: compose(serverParts, idParts, false, position),
    isEmpty: servers.length === 0 && removed.length === 0,
  };
}

/** The text for a client for which nothing has changed. */
export function noChanges(position: ListPosition): SharedText {
  return compose([], [], false, position);
}

/** The whole list as a text: all servers that match. */
export function* renderWholeList(snapshot: Snapshot, wanted: WantedList): Work<SharedText> {
  const parts: TextPart[] = [];
  const selection = new Selection();
  const isPlain = wanted.text === '';
  for (const chunk of snapshot.chunks) {
    const part = isPlain ? yield* partOf(chunk) : yield* partOfMatching(chunk, wanted, selection);
    if (part !== undefined) parts.push(part);
  }
  return compose(parts, [], true, snapshot);
}

function* partOf(chunk: Chunk): Work<TextPart> {
  let part = partsOfChunks.get(chunk);
  if (part === undefined) {
    part = new TextPart(yield* textOf(chunk.rows, (row) => renderServer(row)));
    partsOfChunks.set(chunk, part);
  }
  return part;
}

function* partOfMatching(chunk: Chunk, wanted: WantedList, selection: Selection): Work<TextPart | undefined> {
  yield* selection.match(chunk, wanted.filters.conditions);
  const text = yield* textOf(selection.rows(), rendererOf(wanted));
  return text === '' ? undefined : new TextPart(text);
}

/** A renderer of rows, with the keys of meta that the client wants. */
export function rendererOf({ meta }: Pick<WantedList, 'meta'>): RenderRow {
  return (row) => renderServer(row, meta);
}

function* renderAll<T>(all: readonly T[], render: (each: T) => string): Work<TextPart[]> {
  const parts: TextPart[] = [];
  for (let start = 0; start < all.length; start += ROWS_OF_A_PART)
    parts.push(new TextPart(yield* textOf(all.slice(start, start + ROWS_OF_A_PART), render)));
  return parts;
}

function* textOf<T>(all: Iterable<T>, render: (each: T) => string): Work<string> {
  const texts: string[] = [];
  for (const each of all) if (texts.push(render(each)) % ROWS_AT_ONCE === 0) yield;
  return texts.join(',');
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
