/**
 * What leads from earlier lists to one list, for clients that come and go: those of one position and equal filters share
 * it. What is kept is bounded. Knows nothing of the clients.
 */

import type { ListPosition, Snapshot } from '../registry/snapshot/snapshot.ts';
import { renderChangesSince, type ChangesText } from './changes-text.ts';
import type { Filters } from '../query/filters.ts';
import type { SharedText } from '../work/shared-text.ts';
import { formatTag } from './tag.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker, Shared, Work } from '../work/work.ts';

const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** Makes of the members of an object what is sent. Clients share that, not only its parts. */
type Frame = (members: SharedText, position: ListPosition) => SharedText;

export class CatchUpTexts {
  readonly #turns: Turns;
  readonly #frame: Frame;
  #snapshot: Snapshot | undefined;
  /** By position and filters. */
  readonly #texts = new Map<string, Shared<ChangesText>>();
  #keptBytes = 0;

  constructor(turns: Turns, frame: Frame) {
    this.#turns = turns;
    this.#frame = frame;
  }

  /**
   * `since`: undefined for a client that has no list. Texts to an earlier snapshot are dropped. Rejects with a
   * ServiceError `overloaded`.
   */
  to(
    snapshot: Snapshot,
    since: ListPosition | undefined,
    filters: Filters,
    asker: Asker,
  ): Promise<ChangesText> {
    if (snapshot !== this.#snapshot || this.#keptBytes > MOST_KEPT_BYTES) this.drop();
    this.#snapshot = snapshot;
    // All that know nothing that is still known share one.
    const known = since !== undefined && snapshot.knows(since) ? since : undefined;
    const key = `${known === undefined ? '' : formatTag(known)} ${filters.text}`;
    const made = this.#texts.get(key) ?? this.#begin(key, snapshot, known, filters, asker);
    made.join(asker);
    return made.result;
  }

  #begin(
    key: string,
    snapshot: Snapshot,
    since: ListPosition | undefined,
    filters: Filters,
    asker: Asker,
  ): Shared<ChangesText> {
    const made = this.#turns.share(asker, () => this.#make(snapshot, since, filters));
    this.#texts.set(key, made);
    void this.#keep(key, made);
    return made;
  }

  /** What was refused is not kept. */
  async #keep(key: string, made: Shared<ChangesText>): Promise<void> {
    const text = await made.result.then(
      (changes) => changes.text,
      () => undefined,
    );
    if (this.#texts.get(key) !== made) return;
    if (text === undefined) this.#texts.delete(key);
    else this.#keptBytes += text.length;
  }

  *#make(snapshot: Snapshot, since: ListPosition | undefined, filters: Filters): Work<ChangesText> {
    const { text, isEmpty } = yield* renderChangesSince(snapshot, since, filters);
    return { text: this.#frame(text, snapshot), isEmpty };
  }

  drop(): void {
    this.#snapshot = undefined;
    this.#texts.clear();
    this.#keptBytes = 0;
  }
}
