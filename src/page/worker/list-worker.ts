/**
 * The worker: receives the messages of the page, follows the list, and posts the rows in view, at most once a second if
 * only the list changes.
 */

import type { FromWorker, ListView, ToWorker } from '../connection/messages.ts';
import type { RowRange } from '../../model/view/listed-row.ts';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';
import { FacetCounter } from './facets.ts';
import { Feed } from '../../../clients/typescript/src/feed/feed.ts';
import { parseFilters, type ViewFilters } from './filters.ts';
import { parseViewOrder } from './order.ts';
import { PendingChanges } from './pending-changes.ts';
import { pickServer } from './quick-join.ts';
import type { ToldChanges } from '../../model/view/listed-server.ts';
import { FollowedList, type ListEntry } from '../../model/view/followed-list.ts';
import { ViewRows } from '../../model/view/view-rows.ts';

/** The most servers that the worker holds. The service narrows a longer list. */
const MOST_SERVERS = 30_000;
/**
 * How often changes of the list are shown. This is a little less than the second after which the next ones come, so
 * that they need not wait.
 */
const INTERVAL_MS = 900;
/** How much later the end of a flash may be shown, in ms, so that it can be sent with the next change of the list. */
const GRACE_MS = 500;

/** A view as it was asked for, with its parsed filters. */
interface ReadView {
  readonly view: ListView;
  readonly filters: ViewFilters;
  /** Whether an entry has one of the ids of the view, or the view has none. */
  readonly isAmong: (entry: ListEntry) => boolean;
}

export class ListWorker {
  readonly #environment: Environment;
  readonly #post: (message: FromWorker) => void;
  #baseUrl = '';
  /** The keys of `meta` that the list has. */
  #metaKeys: readonly string[] = [];
  #feed: Feed | undefined;
  /** The filters of the feed. */
  #feedFilters = '';
  #isVisible = true;
  /** Whether the whole list is too long for the page. */
  #isLong = false;
  #list = new FollowedList();
  /** The filters of the feed that sent the list. */
  #listFilters = '';
  /** When the feed last sent changes. ms. */
  #toldAt = 0;
  readonly #rows = new ViewRows();
  readonly #facets = new FacetCounter();
  /** The last facets that were sent, as JSON. */
  #toldFacets = '';
  /** The changes that came while paused. */
  readonly #pending = new PendingChanges();
  /** The view that is wanted. */
  #wanted: ReadView | undefined;
  /** The view that is shown. It differs from the wanted one only until the feed has sent the list for that. */
  #shownView: ListView | undefined;
  /** Whether an entry belongs to the view that is shown. */
  #matches: (entry: ListEntry) => boolean = () => false;
  #range: RowRange = { start: 0, count: 0 };
  #isHeld = false;
  #isPaused = false;
  /** When the rows were last brought up to date. ms. */
  #settledAt = -Infinity;
  #cancelSettle: (() => void) | undefined;
  #cancelFlash: (() => void) | undefined;
  #wrongNames = '';

  constructor(environment: Environment, post: (message: FromWorker) => void) {
    this.#environment = environment;
    this.#post = post;
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'start':
        this.#baseUrl = message.baseUrl;
        this.#metaKeys = message.metaKeys;
        void this.#measure();
        return this.#want(message.view, message.range);
      case 'view':
        return this.#want(message.view, message.range);
      case 'range':
        this.#range = message.range;
        return this.#tellRows(0);
      case 'facets':
        this.#facets.ask(message.asked);
        return this.#tellFacets();
      case 'hold':
        this.#isHeld = message.isHeld;
        return this.#isHeld ? undefined : this.#settle();
      case 'pause':
        return this.#setPaused(message.isPaused);
      case 'visible':
        this.#isVisible = message.isVisible;
        return this.#feed?.setVisible(message.isVisible);
      case 'retry':
        return this.#feed?.retry();
      case 'pick':
        return this.#pick(new Set(message.without));
    }
  }

  /** Stops the feed and all timers. */
  stop(): void {
    this.#feed?.stop();
    this.#cancelSettle?.();
    this.#cancelFlash?.();
  }

  #want(view: ListView, range: RowRange): void {
    const filters = parseFilters(view.filters, this.#metaKeys);
    const { isWrong } = parseViewOrder(view.sort, view.firstRegions);
    const ids = view.ids && new Set(view.ids);
    this.#wanted = { view, filters, isAmong: ({ server }) => ids?.has(server.id) ?? true };
    this.#range = range;
    const names = [...filters.wrongNames, ...(isWrong ? ['sort'] : [])];
    if (names.join(' ') !== this.#wrongNames) {
      this.#wrongNames = names.join(' ');
      this.#post({ type: 'wrongFilters', names });
    }
    this.#openFeed();
    if (this.#list.isKnown && this.#listFilters === this.#feedFilters) this.#arrange();
  }

  #openFeed(): void {
    const { filters } = this.#wanted!;
    const feedFilters = this.#isLong ? filters.text : filters.metaText;
    if (this.#feed !== undefined && feedFilters === this.#feedFilters) return;
    this.#feed?.stop();
    this.#feedFilters = feedFilters;
    this.#feed = new Feed({
      environment: this.#environment,
      url: new URL('changes', this.#baseUrl).href,
      query: [...this.#included(), ...(feedFilters === '' ? [] : [feedFilters])].join('&'),
      onChanges: (changes) => this.#take(changes, feedFilters),
      onState: (state) => this.#tellState(state),
    });
    if (!this.#isVisible) this.#feed.setVisible(false);
    this.#feed.start();
  }

  /** The keys of `meta` as a parameter of the feed. */
  #included(): readonly string[] {
    const names = this.#metaKeys.map((key) => encodeURIComponent(`meta.${key}`));
    return names.length === 0 ? [] : [`include=${names.join(',')}`];
  }

  /** Requests the length of the whole list, while the feed already begins. */
  async #measure(): Promise<void> {
    try {
      const url = new URL('servers?limit=1', this.#baseUrl).href;
      const response = await this.#environment.fetch(url, { headers: { Accept: 'application/json' } });
      const { total } = (await response.json()) as { readonly total?: unknown };
      if (typeof total !== 'number' || total <= MOST_SERVERS) return;
      this.#isLong = true;
      this.#openFeed();
      this.#tellFacets();
    } catch {
      // The feed reports whether the service is reached.
    }
  }

  /** `feedFilters`: the filters of the feed that sent the changes. */
  #take(changes: ToldChanges, feedFilters: string): void {
    const now = this.#environment.now();
    this.#toldAt = now;
    if (!this.#list.isKnown || feedFilters !== this.#listFilters) {
      this.#list = new FollowedList();
      this.#listFilters = feedFilters;
      this.#pending.clear();
      this.#list.apply(changes, now);
      this.#arrange();
      return;
    }
    if (this.#isPaused) this.#pending.add(changes, (id) => this.#list.has(id));
    else this.#rows.touch(this.#list.apply(changes, now));
    this.#settleSoon();
  }

  #setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused || !this.#list.isKnown) return;
    this.#rows.touch(this.#list.apply(this.#pending.take(), this.#environment.now()));
    this.#settle();
  }

  /** Shows the wanted view, held or not. */
  #arrange(): void {
    const { view, filters, isAmong } = this.#wanted!;
    this.#matches = (entry) => isAmong(entry) && filters.matches(entry);
    const { compare } = parseViewOrder(view.sort, view.firstRegions);
    this.#rows.arrange({ matches: this.#matches, compare }, this.#list.entries());
    this.#shownView = view;
    this.#settled(0);
  }

  /** Picks from the list as it is known and shown, current or not. */
  #pick(without: ReadonlySet<string>): void {
    const servers = [...this.#list.entries()]
      .filter((entry) => this.#matches(entry) && !without.has(entry.server.id))
      .map(({ server }) => server);
    this.#post({
      type: 'picked',
      server: pickServer(servers, this.#shownView?.firstRegions ?? [], this.#environment.random()),
    });
  }

  /** Shows the changes, at most once per interval. */
  #settleSoon(): void {
    const { now, after } = this.#environment;
    // If the clock is set back, nothing waits longer for that.
    const waitMs = Math.min(INTERVAL_MS, this.#settledAt + INTERVAL_MS - now());
    if (waitMs <= 0) this.#settle();
    else this.#cancelSettle ??= after(waitMs, () => this.#settle());
  }

  /** Brings rows and their order up to date, if the order may change. */
  #settle(): void {
    if (!this.#list.isKnown) return;
    const isFixed = this.#isHeld || this.#isPaused;
    this.#settled(isFixed ? 0 : this.#rows.settle(this.#range), isFixed);
  }

  #settled(shift: number, isFixed = false): void {
    this.#cancelSettle?.();
    this.#cancelSettle = undefined;
    this.#settledAt = this.#environment.now();
    if (!isFixed) this.#list.forgetLeft();
    this.#tellRows(shift);
    this.#tellFacets();
  }

  #tellFacets(): void {
    // The list of another feed is still shown until that of this view has come.
    const isThere = this.#list.isKnown && this.#listFilters === this.#feedFilters;
    if (!this.#facets.isAsked || !(this.#isLong || isThere)) return;
    const counted = { ...this.#wanted!, entries: this.#list.entries() };
    const facets = this.#isLong ? 'too long' : this.#facets.count(counted, this.#isHeld);
    const told = JSON.stringify(facets);
    if (told === this.#toldFacets) return;
    this.#toldFacets = told;
    this.#post({ type: 'facets', facets });
  }

  /** `shift`: by how many rows the rows in range have moved. A range at the first row stays there. */
  #tellRows(shift: number): void {
    const view = this.#shownView;
    if (view === undefined) return;
    const { now, after } = this.#environment;
    const { total, players } = this.#rows;
    const { start, count } = this.#range;
    const moved = start === 0 ? 0 : shift;
    const last = Math.max(0, total - count);
    this.#range = { start: Math.min(Math.max(0, start + moved), last), count };
    const { rows, staysUntil } = this.#rows.rows(this.#range, now());
    const waiting = this.#rows.waiting + this.#pending.size;
    const listed = this.#list.size;
    this.#post({
      type: 'rows',
      view,
      start: this.#range.start,
      rows,
      total,
      players,
      listed,
      waiting,
      shift: moved,
    });
    this.#cancelFlash?.();
    this.#cancelFlash =
      staysUntil === Infinity ? undefined : after(staysUntil + GRACE_MS - now(), () => this.#tellRows(0));
  }

  #tellState(state: ContactState): void {
    // A feed that begins anew knows nothing of the list that is still shown.
    const isOfOther = state.is === 'away' && state.asOf === undefined && this.#list.isKnown;
    this.#post({ type: 'state', state: isOfOther ? { ...state, asOf: this.#toldAt } : state });
  }
}
