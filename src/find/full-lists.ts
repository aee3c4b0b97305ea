/**
 * Whole lists for clients that know no earlier one, by their filters. All that ask during the making of one share the next,
 * which is of the newest list: no queue forms, however often the list changes. Those of the newest list are kept. Knows
 * nothing of the clients.
 */

import { coalesce } from '../registry/coalesce.ts';
import type { Snapshot } from '../registry/snapshot/snapshot.ts';
import { renderList } from './changes-text.ts';
import type { Filters } from './filters.ts';
import type { SharedText } from './shared-text.ts';

/** So many bytes are kept, and the last list in any case. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

interface Making {
  newest: Snapshot;
  waiting: number;
  readonly make: () => Promise<SharedText>;
}

export class FullLists {
  /** What is kept is of this one. */
  #snapshot: Snapshot | undefined;
  /** By the text of their filters. */
  readonly #kept = new Map<string, SharedText>();
  #keptBytes = 0;
  readonly #makings = new Map<string, Making>();

  /** The list of this snapshot, or of a newer one. */
  async of(snapshot: Snapshot, filters: Filters): Promise<SharedText> {
    const kept = snapshot === this.#snapshot ? this.#kept.get(filters.text) : undefined;
    if (kept !== undefined) return kept;
    const making = this.#makings.get(filters.text) ?? this.#begin(snapshot, filters);
    making.newest = snapshot;
    making.waiting += 1;
    try {
      return await making.make();
    } finally {
      making.waiting -= 1;
      if (making.waiting === 0) this.#makings.delete(filters.text);
    }
  }

  #begin(snapshot: Snapshot, filters: Filters): Making {
    const making: Making = {
      newest: snapshot,
      waiting: 0,
      make: coalesce(async () => {
        const { newest } = making;
        const kept = newest === this.#snapshot ? this.#kept.get(filters.text) : undefined;
        if (kept !== undefined) return kept;
        const text = await renderList(newest, filters);
        this.#keep(newest, filters, text);
        return text;
      }),
    };
    this.#makings.set(filters.text, making);
    return making;
  }

  #keep(snapshot: Snapshot, filters: Filters, text: SharedText): void {
    if (snapshot !== this.#snapshot || this.#keptBytes + text.length > MOST_KEPT_BYTES) {
      this.#kept.clear();
      this.#keptBytes = 0;
    }
    this.#snapshot = snapshot;
    this.#kept.set(filters.text, text);
    this.#keptBytes += text.length;
  }
}
