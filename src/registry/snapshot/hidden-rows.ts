/** The rows that are listed but not shown, found by id; those of unlisted entries are found by join code too. */

import { isUnlisted, type GameServerId } from '../../model/game-server.ts';
import { joinCodeOf } from '../../model/join-code.ts';
import { compareRows, type Row } from './row.ts';

export class HiddenRows<R extends Row> {
  readonly #rows = new Map<GameServerId, R>();
  readonly #idsByCode = new Map<string, readonly GameServerId[]>();

  get size(): number {
    return this.#rows.size;
  }

  has(id: GameServerId): boolean {
    return this.#rows.has(id);
  }

  get(id: GameServerId): R | undefined {
    return this.#rows.get(id);
  }

  values(): Iterable<R> {
    return this.#rows.values();
  }

  /** The row of the unlisted entry with this code; the oldest one if several have the same code. */
  withJoinCode(code: string): R | undefined {
    const rows = (this.#idsByCode.get(code) ?? []).map((id) => this.#rows.get(id)!);
    return rows.toSorted(compareRows)[0];
  }

  set(row: R): void {
    if (isUnlisted(row.id) && !this.#rows.has(row.id)) {
      const code = joinCodeOf(row.id);
      this.#idsByCode.set(code, [...(this.#idsByCode.get(code) ?? []), row.id]);
    }
    this.#rows.set(row.id, row);
  }

  /** Returns false if the id had no row here. */
  delete(id: GameServerId): boolean {
    if (!this.#rows.delete(id)) return false;
    if (!isUnlisted(id)) return true;
    const code = joinCodeOf(id);
    const others = this.#idsByCode.get(code)!.filter((other) => other !== id);
    if (others.length === 0) this.#idsByCode.delete(code);
    else this.#idsByCode.set(code, others);
    return true;
  }
}
