/** Rows that are listed and not shown, by id; those that are unlisted also by join code. */

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

  /** Of two with one code, the older one. */
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

  /** False if it was not there. */
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
