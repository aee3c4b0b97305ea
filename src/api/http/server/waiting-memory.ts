/**
 * The memory for bodies that wait for readers, each part counted once, however many readers and bodies share it. Parts
 * are known by identity; this file knows nothing of sockets.
 */

/** A Buffer, or an object that stands for the bytes of a text. */
export interface Part {
  readonly length: number;
}

export interface WaitingBody {
  readonly parts: readonly Part[];
  /** Bodies of one kind replace each other. */
  readonly kind: string;
}

/** A body for which one reader waits. */
export interface HeldBody extends WaitingBody {
  /** The number of parts that the reader has taken. */
  taken: number;
}

export class WaitingMemory {
  /** How many readers wait for a part. */
  readonly #readers = new Map<Part, number>();
  /** The parts of the newest body of each kind. */
  readonly #newest = new Map<string, { readonly parts: readonly Part[]; readonly set: ReadonlySet<Part> }>();
  #bytes = 0;

  /**
   * The memory in bytes. The parts of the newest body of each kind do not count: the list most likely still holds them,
   * so that cutting off their readers would free nothing.
   */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a reader that waits for all parts of the body. */
  hold({ parts, kind }: WaitingBody): HeldBody {
    for (const part of parts) {
      const readers = this.#readers.get(part) ?? 0;
      this.#readers.set(part, readers + 1);
      if (readers === 0 && this.#counts(kind, part)) this.#bytes += part.length;
    }
    return { parts, kind, taken: 0 };
  }

  /** Records that the reader has taken so many parts of the body by now, or no longer waits for the rest. */
  release(body: HeldBody, taken = body.parts.length): void {
    for (const part of body.parts.slice(body.taken, taken)) {
      const readers = this.#readers.get(part)! - 1;
      if (readers > 0) this.#readers.set(part, readers);
      else {
        this.#readers.delete(part);
        if (this.#counts(body.kind, part)) this.#bytes -= part.length;
      }
    }
    body.taken = taken;
  }

  /** Whether memory would be freed if no reader waited for the rest of the body. */
  isHeldBy({ parts, kind, taken }: HeldBody): boolean {
    return parts.some((part, index) => index >= taken && this.#counts(kind, part));
  }

  /** Makes this body the newest of its kind. */
  replaceNewest({ parts, kind }: WaitingBody): void {
    const before = this.#newest.get(kind);
    if (before?.parts === parts) return;
    const set = new Set(parts);
    for (const part of before?.set ?? [])
      if (!set.has(part) && this.#readers.has(part)) this.#bytes += part.length;
    for (const part of set)
      if (before?.set.has(part) !== true && this.#readers.has(part)) this.#bytes -= part.length;
    this.#newest.set(kind, { parts, set });
  }

  /** Forgets the newest bodies, once no reader is left. */
  forgetNewest(): void {
    this.#newest.clear();
  }

  #counts(kind: string, part: Part): boolean {
    return this.#newest.get(kind)?.set.has(part) !== true;
  }
}
