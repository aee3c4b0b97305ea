/** What `gsls watch` follows, and how it follows it. */

import { describeFailure, type Ask } from '../client/ask.ts';
import type { ContactState } from '../client/contact-state.ts';
import { systemEnvironment, type Environment } from '../client/environment.ts';
import { Feed } from '../client/feed.ts';
import type { ToldChanges } from '../client/listed-server.ts';
import type { Column } from '../terminal/columns.ts';

/** What is watched, checked. */
export interface Watched {
  readonly url: string;
  /** The filters, as a raw query string. */
  readonly query: string;
  readonly sort: string;
  readonly columns: readonly Column[];
  readonly ask: Ask;
  /** With the key. */
  readonly fetch: Environment['fetch'];
}

export interface FeedEvents {
  readonly onChanges: (changes: ToldChanges) => void;
  /** `cause`: why the last request got no answer. */
  readonly onState: (state: ContactState, cause: string | undefined) => void;
}

/** Returns what ends it. */
export function startFeed({ url, query, fetch }: Watched, { onChanges, onState }: FeedEvents): () => void {
  let cause: string | undefined;
  const feed = new Feed({
    environment: {
      ...systemEnvironment,
      fetch: async (target, request) => {
        try {
          const response = await fetch(target, request);
          cause = undefined;
          return response;
        } catch (error) {
          cause = request.signal?.aborted ? undefined : describeFailure(error);
          throw error;
        }
      },
    },
    url: `${url}/changes`,
    query,
    onChanges,
    onState: (state) => onState(state, cause),
  });
  feed.start();
  return () => feed.stop();
}
