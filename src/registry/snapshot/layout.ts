/**
 * Which entries are at which places of a chunk, while none comes or goes: chunks that follow each other share it, and
 * it tells which of the places have changed. So what is known of one chunk can be brought up to date for another,
 * without the one being kept, or a look at all rows.
 */

/** So many changes are remembered. */
const MOST_CHANGES = 1024;

let lastRevision = 0;

/** A number for each chunk, greater than those of all chunks before. */
export function nextRevision(): number {
  lastRevision += 1;
  return lastRevision;
}

export class Layout {
  #indices: number[] = [];
  /** Of the chunks with which they changed, in order. */
  #revisions: number[] = [];
  #floor = 0;

  /** The row at this index changes with the chunk of this revision, which is the latest. */
  note(index: number, revision: number): void {
    if (this.#indices.length === MOST_CHANGES) {
      const half = MOST_CHANGES / 2;
      this.#floor = this.#revisions[half - 1]!;
      this.#indices = this.#indices.slice(half);
      this.#revisions = this.#revisions.slice(half);
    }
    this.#indices.push(index);
    this.#revisions.push(revision);
  }

  /**
   * The indices at which chunks of this layout may differ from the one of this revision; undefined if that is too old.
   */
  changedSince(revision: number): ReadonlySet<number> | undefined {
    if (revision < this.#floor) return undefined;
    const changed = new Set<number>();
    for (let i = this.#revisions.length - 1; i >= 0 && this.#revisions[i]! > revision; i -= 1)
      changed.add(this.#indices[i]!);
    return changed;
  }
}
