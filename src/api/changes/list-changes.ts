/**
 * The changes that bring a client to the list that its filters ask for: from a list that it names, or from the list of
 * the tick before.
 */

import type { GameServerId } from '../../model/game-server.ts';
import type { Row } from '../../registry/snapshot/row.ts';
import type { ListPosition, Snapshot } from '../../registry/snapshot/snapshot.ts';
import type { Filters } from '../../model/query/filters.ts';
import type { RowChange } from './list-diff.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';

/** No id is in both. */
export interface ClientChanges {
  /** The rows that are new to the client or have changed, in the order of the list. */
  readonly servers: readonly Row[];
  /** Ids to forget, some of which the client perhaps never had. */
  readonly removed: readonly GameServerId[];
}

/**
 * The changes from the list at `since` to this one. Nobody remembers what matched at `since`: each row that has changed
 * and does not match counts as removed. Undefined if the client needs the whole list.
 */
export function* changesSince(
  snapshot: Pick<Snapshot, 'changesSince'>,
  since: ListPosition | undefined,
  filters: Filters,
): Work<ClientChanges | undefined> {
  const known = since === undefined ? undefined : yield* snapshot.changesSince(since);
  if (since === undefined || known === undefined) return undefined;
  const servers: Row[] = [];
  const removed = new Set(known.gone);
  for (const [index, row] of known.changed.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield;
    if (filters.matches(row)) {
      servers.push(row);
      removed.delete(row.id);
    } else removed.add(row.id);
  }
  return { servers, removed: [...removed] };
}

/** The same changes, as a client sees them that has the list before them. */
export function* changesAmong(all: readonly RowChange[], filters: Filters): Work<ClientChanges> {
  const servers: Row[] = [];
  const gone: GameServerId[] = [];
  for (const [index, { before, after }] of all.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield;
    if (after !== undefined && filters.matches(after)) servers.push(after);
    else if (before !== undefined && filters.matches(before)) gone.push(before.id);
  }
  if (gone.length === 0) return { servers, removed: gone };
  // An entry that was registered anew under its id has left one place and come to another.
  const shown = new Set(servers.map(({ id }) => id));
  return { servers, removed: gone.filter((id) => !shown.has(id)) };
}

/** Whether the position is a later one of the same history, so that another replica knows more than this one. */
export function isAhead(since: ListPosition | undefined, snapshot: ListPosition): since is ListPosition {
  return since !== undefined && since.history === snapshot.history && since.version > snapshot.version;
}
