/**
 * Whole lists for clients that know no earlier one, by their filters. All that ask during the making of one share the next,
 * which is of the newest list: no queue forms, however often the list changes. The latest are kept. Knows nothing of the
 * clients.
 */

import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../registry/snapshot/snapshot.ts';
import { renderList } from './changes-text.ts';
import type { Filters } from '../query/filters.ts';
import { keep } from '../work/keep.ts';
import { Latest } from '../work/latest.ts';
import type { SharedText } from '../work/shared-text.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker } from '../work/work.ts';

/** All that are kept, in bytes. One that is longer is kept alone. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** What one takes at least. */
const LEAST_BYTES = 1024;

export class FullLists {
  readonly #turns: Turns;
  readonly #frame: (members: SharedText) => SharedText;
  /** By the text of their filters. */
  readonly #lists = new LRUCache<string, Latest<SharedText>>({ maxSize: KEPT_BYTES });

  /** `frame` makes of the members of an object what is sent. */
  constructor(turns: Turns, frame: (members: SharedText) => SharedText) {
    this.#turns = turns;
    this.#frame = frame;
  }

  /** The list of this snapshot, or of a newer one. Rejects with a ServiceError `overloaded`. */
  async of(snapshot: Snapshot, filters: Filters, asker: Asker): Promise<SharedText> {
    const { text } = filters;
    let list = this.#lists.get(text);
    if (list === undefined) {
      const frame = this.#frame;
      list = new Latest(this.#turns, function* (newest) {
        return frame(yield* renderList(newest, filters));
      });
      keep(this.#lists, text, list, LEAST_BYTES);
    }
    const { last } = list;
    const made = await list.of(snapshot, asker);
    if (made !== last && this.#lists.peek(text) === list)
      keep(this.#lists, text, list, Math.min(KEPT_BYTES, LEAST_BYTES + made.length));
    return made;
  }
}
