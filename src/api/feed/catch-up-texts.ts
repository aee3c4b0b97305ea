/**
 * What leads from earlier lists to one list, for clients that come and go: those of one position that want
 * the same share it. Texts to one list alone are kept: to a later one no client is led by way of it.
 */

import type { ListPosition, Snapshot } from '../../registry/snapshot/snapshot.ts';
import { renderChangesSince, type ChangesText } from './changes-text.ts';
import { LatestAnswers } from '../work/latest-answers.ts';
import type { SharedText } from '../work/shared-text.ts';
import { formatTag } from './tag.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker, Work } from '../work/work.ts';
import type { WantedList } from './wanted-list.ts';

/** All that are kept, in bytes. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Makes of the members of an object what is sent. Clients share that, not only its parts. */
type Frame = (members: SharedText, position: ListPosition) => SharedText;

export class CatchUpTexts {
  readonly #frame: Frame;
  #snapshot: Snapshot | undefined;
  /** By position, and what is wanted. All are of one snapshot. */
  readonly #texts: LatestAnswers<ChangesText>;

  constructor(turns: Turns, frame: Frame) {
    this.#frame = frame;
    this.#texts = new LatestAnswers({ turns, keptBytes: KEPT_BYTES, bytesOf: ({ text }) => text.length });
  }

  /**
   * `since`: undefined for a client that has no list. Texts to an earlier snapshot are dropped. Rejects with a
   * ServiceError `overloaded`.
   */
  to(
    snapshot: Snapshot,
    since: ListPosition | undefined,
    wanted: WantedList,
    asker: Asker,
  ): Promise<ChangesText> {
    if (snapshot !== this.#snapshot) this.drop();
    this.#snapshot = snapshot;
    // All that know nothing that is still known share one.
    const known = since !== undefined && snapshot.knows(since) ? since : undefined;
    const question = `${known === undefined ? '' : formatTag(known)} ${wanted.text}`;
    return this.#texts.of(question, snapshot, asker, () => (to) => this.#make(to, known, wanted));
  }

  *#make(snapshot: Snapshot, since: ListPosition | undefined, wanted: WantedList): Work<ChangesText> {
    const { text, isEmpty } = yield* renderChangesSince(snapshot, since, wanted);
    return { text: this.#frame(text, snapshot), isEmpty };
  }

  drop(): void {
    this.#snapshot = undefined;
    this.#texts.clear();
  }
}
