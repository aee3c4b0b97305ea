/**
 * What leads from earlier lists to one list, for clients that come and go: those of one position and equal filters share
 * it. The texts are made one after the other, so that few are in memory, and what is kept is bounded. Knows nothing of
 * the clients.
 */

import type { ListPosition, Snapshot } from '../registry/snapshot/snapshot.ts';
import { renderChangesSince, type ChangesText } from './changes-text.ts';
import type { Filters } from './filters.ts';
import type { SharedText } from './shared-text.ts';
import { formatTag } from './tag.ts';

const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** Makes of the members of an object what is sent. Clients share that, not only its parts. */
type Frame = (members: SharedText, position: ListPosition) => SharedText;

export class CatchUpTexts {
  readonly #frame: Frame;
  #snapshot: Snapshot | undefined;
  /** By position and filters. */
  readonly #texts = new Map<string, Promise<ChangesText>>();
  #keptBytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  /** `since`: undefined for a client that has no list. Texts to an earlier snapshot are dropped. */
  to(snapshot: Snapshot, since: ListPosition | undefined, filters: Filters): Promise<ChangesText> {
    if (snapshot !== this.#snapshot || this.#keptBytes > MOST_KEPT_BYTES) this.drop();
    this.#snapshot = snapshot;
    const key = `${since === undefined ? '' : formatTag(since)} ${filters.text}`;
    let made = this.#texts.get(key);
    if (made === undefined) {
      made = this.#last.then(async () => {
        const { text, isEmpty } = await renderChangesSince(snapshot, since, filters);
        return { text: this.#frame(text, snapshot), isEmpty };
      });
      this.#texts.set(key, made);
      this.#last = made.then(
        ({ text }) => (this.#keptBytes += text.length),
        () => undefined,
      );
    }
    return made;
  }

  drop(): void {
    this.#snapshot = undefined;
    this.#texts.clear();
    this.#keptBytes = 0;
  }
}
