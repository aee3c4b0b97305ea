/** The counts of this process, for its metrics. Knows no names but those it is given. */

import type { Reading } from './sources/game-state.ts';

export interface RequestCount {
  readonly service: string;
  readonly kind: string;
  /** `success`, a code of the API, or a status. */
  readonly outcome: string;
  readonly count: number;
}

export class Counts {
  readonly #requests = new Map<string, { -readonly [Name in keyof RequestCount]: RequestCount[Name] }>();
  readonly #readings: Record<Reading['is'], number> = { told: 0, silent: 0, refused: 0, unusable: 0 };

  addRequest(service: string, kind: string, outcome: string): void {
    const key = `${service} ${kind} ${outcome}`;
    const known = this.#requests.get(key);
    if (known === undefined) this.#requests.set(key, { service, kind, outcome, count: 1 });
    else known.count += 1;
  }

  addReading(is: Reading['is']): void {
    this.#readings[is] += 1;
  }

  get requests(): readonly RequestCount[] {
    return [...this.#requests.values()];
  }

  get readings(): Readonly<Record<Reading['is'], number>> {
    return this.#readings;
  }
}
