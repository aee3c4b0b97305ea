/** Goes through all entries, a part at each call, and corrects for which network each counts. */

import type { RecountPosition } from '../scripts/script-replies.ts';
import type { Scripts } from '../scripts/scripts.ts';

const BEGINNING: RecountPosition = { rank: 0, miscounted: [] };

export class Recounter {
  readonly #scripts: Pick<Scripts, 'recount'>;
  #position = BEGINNING;

  constructor(scripts: Pick<Scripts, 'recount'>) {
    this.#scripts = scripts;
  }

  /** To be called now and then. After a failure it begins anew. */
  async recount(): Promise<void> {
    const position = this.#position;
    this.#position = BEGINNING;
    this.#position = await this.#scripts.recount(position);
  }
}
