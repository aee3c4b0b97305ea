/** What a Feed is given. */

import type { FeedFailure } from './changes-answer.ts';
import type { ContactState } from './contact-state.ts';
import type { TaggedChanges } from '../../../../src/model/view/listed-server.ts';
import type { Environment } from '../environment.ts';
import type { UrlChoice } from '../fallback/url-choice.ts';

export interface FeedOptions {
  readonly environment: Environment;
  /** The address of `GET /changes`, without a query. */
  readonly url: string;
  /** Chooses among several such addresses, of which `url` is the first; left out where there is one. */
  readonly choice?: UrlChoice | undefined;
  /** The filters of the list, as a raw query string; '' for all of it. */
  readonly query: string;
  /** The headers that each request has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long an answer may be silent, in place of 5,000 and, at its beginning, 10,000. */
  readonly silenceMs?: number | undefined;
  /** How long it waits at most after a failure or a stream, in place of 30,000 ms, where no answer asks for more. */
  readonly longestPauseMs?: number;
  /** The tag of a list that the reader has already; undefined for none. */
  readonly tag?: string | undefined;
  /** Called for each answer, before it is read. A FeedFailure that it throws refuses the service. */
  readonly onAnswer?: (response: Response) => void;
  readonly onChanges: (changes: TaggedChanges) => void;
  readonly onState: (state: ContactState) => void;
  /** Called before the state that the failure leads to. */
  readonly onFailure?: (failure: FeedFailure) => void;
}
