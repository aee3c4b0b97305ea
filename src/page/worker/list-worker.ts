/**
 * The worker: receives the messages of the page, follows the list, and posts the rows in view, at most once a second if
 * only the list changes.
 */

import type { FromWorker, ListView, Start, ToWorker } from '../connection/messages.ts';
import type { RowRange } from '../../model/view/listed-row.ts';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { Environment } from '../../../clients/typescript/src/environment.ts';
import { FacetCounter } from './facets.ts';
import { parseFilters, type ViewFilters } from './filters.ts';
import { NarrowedFeed } from './narrowed-feed.ts';
import { parseViewOrder } from './order.ts';
import { PendingChanges } from './pending-changes.ts';
import { isChoiceOfRegions, pickServer } from './quick-join.ts';
import type { ToldChanges } from '../../model/view/listed-server.ts';
import { FollowedList, type ListEntry } from '../../model/view/followed-list.ts';
import { ViewRows } from '../../model/view/view-rows.ts';

/** How often changes of the list are shown, in ms: a little less than a second, after which the next ones come. */
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
  /** The keys of `meta` that the list has. */
  #metaKeys: readonly string[] = [];
  #feed: NarrowedFeed | undefined;
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
        this.#start(message);
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
        return this.#feed?.setVisible(message.isVisible);
      case 'retry':
        return this.#feed?.retry();
      case 'pick':
        return this.#pick(new Set(message.without), message.asksRegion);
    }
  }

  /** Stops the feed and all timers. */
  stop(): void {
    this.#feed?.stop();
    this.#cancelSettle?.();
    this.#cancelFlash?.();
  }

  #start({ baseUrl, metaKeys }: Start): void {
    this.#metaKeys = metaKeys;
    this.#feed = new NarrowedFeed({
      environment: this.#environment,
      baseUrl,
      metaKeys,
      onChanges: (changes, feedFilters) => this.#take(changes, feedFilters),
      onState: (state) => this.#tellState(state),
      onLong: () => this.#tellFacets(),
    });
  }

  /** Whether the list that is known was sent by the feed that is followed now. */
  get #isListOfFeed(): boolean {
    return this.#list.isKnown && this.#listFilters === this.#feed!.filters;
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
    this.#feed!.follow(filters);
    if (this.#isListOfFeed) this.#arrange();
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
    const { compare } = parseViewOrder(view.sort, view.firstRegions, view.near);
    this.#rows.arrange({ matches: this.#matches, compare }, this.#list.entries());
    this.#shownView = view;
    this.#settled(0);
  }

  /** Picks from the list as it is known and shown, current or not. */
  #pick(without: ReadonlySet<string>, asksRegion: boolean): void {
    const servers = [...this.#list.entries()]
      .filter((entry) => this.#matches(entry) && !without.has(entry.server.id))
      .map(({ server }) => server);
    const isAsking = asksRegion && isChoiceOfRegions(servers);
    const firstRegions = this.#wanted?.view.firstRegions ?? [];
    const picked = isAsking ? 'asks region' : pickServer(servers, firstRegions, this.#environment.random());
    this.#post({ type: 'picked', picked });
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
    const isLong = this.#feed?.isLong === true;
    if (!this.#facets.isAsked || !(isLong || this.#isListOfFeed)) return;
    const counted = { ...this.#wanted!, entries: this.#list.entries() };
    const message = isLong ? { facets: 'too long' as const } : this.#facets.count(counted, this.#isHeld);
    const told = JSON.stringify(message);
    if (told === this.#toldFacets) return;
    this.#toldFacets = told;
    this.#post({ type: 'facets', ...message });
  }

  /** `shift`: by how many rows the rows in range have moved. A range at the first row stays there. */
  #tellRows(shift: number): void {
    const view = this.#shownView;
    if (view === undefined) return;
    const { now, after } = this.#environment;
    const { total } = this.#rows;
    const { start, count } = this.#range;
    const moved = start === 0 ? 0 : shift;
    const last = Math.max(0, total - count);
    this.#range = { start: Math.min(Math.max(0, start + moved), last), count };
    const { rows, staysUntil } = this.#rows.rows(this.#range, now());
    this.#post({
      type: 'rows',
      view,
      start: this.#range.start,
      rows,
      total,
      ...this.#rows.matching(),
      listed: this.#list.size,
      waiting: this.#rows.waiting + this.#pending.size,
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
