/**
 * A layout stands for which entries are at which places of a chunk. Successive versions of a chunk share it until an
 * entry comes or goes, and it remembers which places have changed. What a caller derived from one version can thus be
 * brought up to date for another, without keeping the first or looking at all rows.
 */

/** How many changes a layout remembers; then it forgets the older half. */
const MOST_CHANGES = 1024;

let lastRevision = 0;

/** Returns a number for a new chunk, greater than those of all chunks before it. */
export function nextRevision(): number {
  lastRevision += 1;
  return lastRevision;
}

export class Layout {
  #indices: number[] = [];
  /** The revision of the chunk in which each of these indices changed, in order. */
  #revisions: number[] = [];
  #floor = 0;

  /** Remembers that the row at this index changes in the chunk of this revision, which is the latest. */
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
   * The indices at which the latest chunk may differ from the one of this revision; undefined if that is too old.
   */
  changedSince(revision: number): ReadonlySet<number> | undefined {
    if (revision < this.#floor) return undefined;
    const changed = new Set<number>();
    for (let i = this.#revisions.length - 1; i >= 0 && this.#revisions[i]! > revision; i -= 1)
      changed.add(this.#indices[i]!);
    return changed;
  }
}
