/** Tells once that changes do not get into the file, and once that all of them have again. */

/** `slow`: a write does not end. `failed`: a change could not be written, or the file not replaced. */
export type TroubleCause = 'slow' | 'failed';

export interface TroubleEvents {
  /** Changes do not get into the file. Told once, until all have again. */
  onUnwritable(reason: unknown): void;
  onWritable(): void;
}

export class Trouble {
  readonly #events: Partial<TroubleEvents>;
  readonly #causes = new Set<TroubleCause>();

  constructor(events: Partial<TroubleEvents>) {
    this.#events = events;
  }

  has(cause: TroubleCause): boolean {
    return this.#causes.has(cause);
  }

  begin(cause: TroubleCause, reason: unknown): void {
    const isFirst = this.#causes.size === 0;
    this.#causes.add(cause);
    if (isFirst) this.#events.onUnwritable?.(reason);
  }

  end(cause: TroubleCause): void {
    const wasThere = this.#causes.delete(cause);
    if (wasThere && this.#causes.size === 0) this.#events.onWritable?.();
  }
}
