/** A watched list as lines on standard output, one a change. */

import { describeFailure } from '../../../clients/typescript/src/ask.ts';
import { systemEnvironment, type Environment } from '../../../clients/typescript/src/environment.ts';
import { Feed } from '../../../clients/typescript/src/feed/feed.ts';
import { UrlChoice } from '../../../clients/typescript/src/fallback/url-choice.ts';
import { contactChange, jsonLineOf, lineOf, ShownChanges, type ShownChange } from './change-lines.ts';
import type { Output } from './progress.ts';

/** The checked options of a watch. */
export interface WatchedList {
  /** The URLs with one list, in the order in which they are asked. */
  readonly urls: readonly string[];
  /** The filters, as a raw query string. */
  readonly query: string;
  /** Sends the key, too. */
  readonly fetch: Environment['fetch'];
  readonly isJson: boolean;
}

/** Resolves never: it ends the process once nobody reads, or a signal asks for it. */
export async function printLines({ urls, query, fetch, isJson }: WatchedList, stdout: Output): Promise<void> {
  const print = (changes: readonly ShownChange[]): void => {
    const now = Date.now();
    const lines = changes.map((change) => (isJson ? jsonLineOf(change, now) : lineOf(change, now))).join('');
    if (lines !== '') stdout.write(lines);
  };
  const list = new ShownChanges();
  /** Why the last request got no answer. */
  let cause: string | undefined;
  let wasLive = true;
  const feeds = urls.map((url) => `${url}/changes`);
  const choice = feeds.length > 1 ? new UrlChoice(feeds, () => Date.now()) : undefined;
  let [from] = feeds;
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
    url: feeds[0]!,
    choice,
    onAnswer() {
      if (choice === undefined || choice.url === from) return;
      from = choice.url;
      const text = `from now on this is the list of ${from.replace(/\/changes$/, '')}`;
      print([{ change: 'contact', state: 'live', text }]);
    },
    query,
    onChanges: (changes) => print(list.take(changes)),
    onState(state) {
      const isLive = state.is === 'live';
      if (isLive && wasLive) return;
      wasLive = isLive;
      print([contactChange(state, Date.now(), cause)]);
    },
  });
  const ended = new Promise<void>((resolve) => {
    // A reader such as head ends when it has seen enough.
    process.stdout.on('error', () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  feed.start();
  await ended;
  feed.stop();
  // A request may be under way: nobody waits for it.
  process.exit(0);
}
