/** The rows of a list that is followed, for the code that shows them. */

import type { ListedServer } from './listed-server.ts';

/** A part of the rows of a view. */
export interface RowRange {
  readonly start: number;
  readonly count: number;
}

/** A game server in view. An equal `version` under an equal id means an equal row. */
export interface ListedRow {
  readonly server: ListedServer;
  /** Grows with each change of the row. */
  readonly version: number;
  /** The fields that the last change changed, for a moment after it. */
  readonly changed: readonly (keyof ListedServer)[];
  /** Whether it came to the list a moment ago. */
  readonly isNew: boolean;
  /** Whether it has left the list or the view. Its row stays until the order may change. */
  readonly isGone: boolean;
}
