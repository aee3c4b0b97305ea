/**
 * The texts that lead from earlier lists to one list, for clients that come and go. Clients with the same position and
 * the same wishes share a text. All kept texts lead to the same list: clients reach later lists without it.
 */

import type { ListPosition, Snapshot } from '../../registry/snapshot/snapshot.ts';
import { renderChangesSince, type ChangesText } from './changes-text.ts';
import { LatestAnswers } from '../work/latest-answers.ts';
import type { SharedText } from '../work/shared-text.ts';
import { formatTag } from './tag.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker, Work } from '../work/work.ts';
import type { WantedList } from './wanted-list.ts';

/** The size of all texts that are kept, in bytes. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Wraps the members of an object in the text that is sent. Clients share that text, and not only its parts. */
type Frame = (members: SharedText, position: ListPosition) => SharedText;

export class CatchUpTexts {
  readonly #frame: Frame;
  #snapshot: Snapshot | undefined;
  /** The texts by position and by what the client wants. All lead to #snapshot. */
  readonly #texts: LatestAnswers<ChangesText>;

  constructor(turns: Turns, frame: Frame) {
    this.#frame = frame;
    this.#texts = new LatestAnswers({ turns, keptBytes: KEPT_BYTES, bytesOf: ({ text }) => text.length });
  }

  /**
   * The text that leads from `since` to the snapshot; `since` is undefined for a client that has no list. Drops the
   * texts that lead to an earlier snapshot. Rejects with a ServiceError `overloaded`.
   */
  to(
    snapshot: Snapshot,
    since: ListPosition | undefined,
    wanted: WantedList,
    asker: Asker,
  ): Promise<ChangesText> {
    if (snapshot !== this.#snapshot) this.drop();
    this.#snapshot = snapshot;
    // Clients whose position is no longer known share one text.
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
