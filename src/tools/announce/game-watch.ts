/**
 * Looks at one game server again and again, and reports its state, or that it is away: after three lost answers in a
 * row, and not before. It knows no service.
 */

import type { Environment } from '../../../clients/typescript/src/environment.ts';
import type { Reading, Source } from './sources/game-state.ts';

export interface GameWatchOptions {
  readonly source: Source;
  readonly intervalMs: number;
  /** The time before the first look: game servers of one process are not all asked at once. */
  readonly firstAfterMs: number;
  readonly environment: Pick<Environment, 'after' | 'now'>;
  readonly onReading: (reading: Reading, standing: GamePresence) => void;
}

/** `unknown`: the game server has not answered yet, and few answers were lost. */
export type GamePresence = 'unknown' | 'up' | 'away';

/** How many answers in a row are missing when a game server counts as away. */
const LOST_ANSWERS = 3;

export class GameWatch {
  readonly #options: GameWatchOptions;
  readonly #over = new AbortController();
  #standing: GamePresence = 'unknown';
  #lost = 0;
  #cancel: () => void;

  constructor(options: GameWatchOptions) {
    this.#options = options;
    this.#cancel = options.environment.after(options.firstAfterMs, () => void this.#look());
  }

  get standing(): GamePresence {
    return this.#standing;
  }

  /** Ends the looks and the reports. */
  close(): void {
    this.#cancel();
    this.#over.abort();
    this.#options.source.close();
  }

  async #look(): Promise<void> {
    const { source, intervalMs, environment, onReading } = this.#options;
    const startedAt = environment.now();
    const reading = await source.read(this.#over.signal);
    if (this.#over.signal.aborted) return;
    this.#lost = reading.is === 'told' ? 0 : this.#lost + 1;
    if (reading.is === 'told') this.#standing = 'up';
    else if (this.#lost >= LOST_ANSWERS) this.#standing = 'away';
    // The clock of a machine may be set back.
    const tookMs = Math.max(0, environment.now() - startedAt);
    this.#cancel = environment.after(Math.max(0, intervalMs - tookMs), () => void this.#look());
    onReading(reading, this.#standing);
  }
}
