/**
 * The feed that the worker follows: of the whole list while the page can hold it; else the service narrows it by the
 * filters.
 *
 * Pages that filter by themselves all follow the same list, so they share one text of the stream, whatever their
 * readers filter.
 */

import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';
import { Feed } from '../../../clients/typescript/src/feed/feed.ts';
import type { ToldChanges } from '../../model/view/listed-server.ts';
import type { ViewFilters } from './filters.ts';

/** The most servers that the worker holds. The service narrows a longer list. */
const MOST_SERVERS = 30_000;

export interface NarrowedFeedOptions {
  readonly environment: Environment;
  readonly baseUrl: string;
  /** The keys of `meta` that the list has. */
  readonly metaKeys: readonly string[];
  /** Called with changes, and with the filters of the feed that sent them. */
  readonly onChanges: (changes: ToldChanges, filters: string) => void;
  readonly onState: (state: ContactState) => void;
  /** Called once the whole list turns out to be too long. */
  readonly onLong: () => void;
}

export class NarrowedFeed {
  readonly #options: NarrowedFeedOptions;
  #feed: Feed | undefined;
  #filters = '';
  #wanted: ViewFilters | undefined;
  #isVisible = true;
  #isLong = false;

  /** Begins to ask how long the whole list is. */
  constructor(options: NarrowedFeedOptions) {
    this.#options = options;
    void this.#measure();
  }

  /** Whether the whole list is too long for the page. */
  get isLong(): boolean {
    return this.#isLong;
  }

  /** The filters of the feed that is followed now, as parameters of it. */
  get filters(): string {
    return this.#filters;
  }

  /** Follows what these filters need: another feed only if the one that is followed lacks some of it. */
  follow(wanted: ViewFilters): void {
    this.#wanted = wanted;
    const filters = this.#isLong ? wanted.text : wanted.metaText;
    if (this.#feed !== undefined && filters === this.#filters) return;
    this.#feed?.stop();
    this.#filters = filters;
    const { environment, baseUrl, onChanges, onState } = this.#options;
    this.#feed = new Feed({
      environment,
      url: new URL('changes', baseUrl).href,
      query: [...this.#included(), ...(filters === '' ? [] : [filters])].join('&'),
      onChanges: (changes) => onChanges(changes, filters),
      onState,
    });
    if (!this.#isVisible) this.#feed.setVisible(false);
    this.#feed.start();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#feed?.setVisible(isVisible);
  }

  retry(): void {
    this.#feed?.retry();
  }

  stop(): void {
    this.#feed?.stop();
  }

  /** The keys of `meta` as a parameter of the feed. */
  #included(): readonly string[] {
    const names = this.#options.metaKeys.map((key) => encodeURIComponent(`meta.${key}`));
    return names.length === 0 ? [] : [`include=${names.join(',')}`];
  }

  /** Asks how long the whole list is, while the feed already begins. */
  async #measure(): Promise<void> {
    const { environment, baseUrl, onLong } = this.#options;
    try {
      const url = new URL('servers?limit=1', baseUrl).href;
      const response = await environment.fetch(url, { headers: { Accept: 'application/json' } });
      const { total } = (await response.json()) as { readonly total?: unknown };
      if (typeof total !== 'number' || total <= MOST_SERVERS) return;
      this.#isLong = true;
      if (this.#wanted !== undefined) this.follow(this.#wanted);
      onLong();
    } catch {
      // The feed reports how the page stands to the service.
    }
  }
}
