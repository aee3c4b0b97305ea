/**
 * What the page and its worker tell each other. The worker holds the list and follows it; the page holds the rows that
 * are in view. Times are ms since the epoch.
 */

import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import type { ListedRow, RowRange } from '../../model/view/listed-row.ts';

/** The rows that the page wants: which, in which order, and how many from where. */
export interface ListView {
  /** Filters in the grammar of `GET /servers`, as a query string without `?`. */
  readonly filters: string;
  /** As in `GET /servers`, such as `-players,name`. */
  readonly sort: string;
  /** These ids alone; undefined for all. */
  readonly ids: readonly string[] | undefined;
  /** The servers of these come first, in whatever order. */
  readonly firstRegions: readonly string[];
}

/** By what servers are counted, and chosen, and further keys of `meta`. */
export const FACETS = ['region', 'mode', 'map', 'tags', 'version'] as const;
/** As in the address. */
export type FacetName = (typeof FACETS)[number] | `meta.${string}`;

export function facetNames(metaKeys: readonly string[]): readonly FacetName[] {
  return [...FACETS, ...metaKeys.map((key) => `meta.${key}` as const)];
}

/** Of what a filter is by; undefined for no key of `meta`. */
export function metaKeyOf(name: string): string | undefined {
  return name.startsWith('meta.') ? name.slice('meta.'.length) : undefined;
}

/** Which values of a facet are told. */
export interface FacetAsk {
  readonly most: number;
  /** Those that contain it, in whatever case; '' for all. */
  readonly sought: string;
}
export type FacetAsks = Readonly<Record<FacetName, FacetAsk>>;

/** How many servers, and players on them, have a value. */
export interface FacetValue {
  readonly value: string;
  readonly servers: number;
  readonly players: number;
}

export interface Facet {
  /** The commonest of those asked for come first. Those that a filter names are among them, whatever is asked for. */
  readonly values: readonly FacetValue[];
  /** How many more there are of those asked for. */
  readonly more: number;
}
export type Facets = Readonly<Record<FacetName, Facet>>;

/** First of all. */
export interface Start {
  readonly type: 'start';
  /** What the addresses of the API are relative to. */
  readonly baseUrl: string;
  /** The keys of `meta` that servers are counted by. */
  readonly metaKeys: readonly string[];
  readonly view: ListView;
  readonly range: RowRange;
}

export type ToWorker =
  | Start
  | { readonly type: 'view'; readonly view: ListView; readonly range: RowRange }
  | { readonly type: 'range'; readonly range: RowRange }
  /** Counts the values of the facets from now on; undefined: no longer. */
  | { readonly type: 'facets'; readonly asked: FacetAsks | undefined }
  /** While held, rows change in place, and their order and number stay. */
  | { readonly type: 'hold'; readonly isHeld: boolean }
  /** While paused, nothing changes at all: what is told is kept until the pause ends. */
  | { readonly type: 'pause'; readonly isPaused: boolean }
  /** Whether the page can be seen. */
  | { readonly type: 'visible'; readonly isVisible: boolean }
  /** Connects at once, without waiting for the next try. */
  | { readonly type: 'retry' }
  /** Asks for a server of the view to play on now, and none of these. It is answered with 'picked'. */
  | { readonly type: 'pick'; readonly without: readonly string[] };

/** The rows of a range, and what all rows of the view come to. */
export interface Rows {
  readonly type: 'rows';
  /** The view that they are of: the filters, sort and ids that were asked for last, or before that. */
  readonly view: ListView;
  /** Of the first row: that of the range, if there are so many rows. */
  readonly start: number;
  readonly rows: readonly ListedRow[];
  /** How many rows the view has: one for each server that matches, and while held those of servers that are gone. */
  readonly total: number;
  /** Of all rows but gone ones. */
  readonly players: number;
  /** Of the whole list. */
  readonly listed: number;
  /**
   * Servers that would come, go or move if the order were not held, and those of which something was told in a pause.
   */
  readonly waiting: number;
  /**
   * Moves by as many rows with the first row of the range, when rows came or left before it. The range has moved with
   * it: `start` is the new one. A range that begins at 0 stays there.
   */
  readonly shift: number;
}

export type FromWorker =
  | Rows
  /** 'too long': the worker does not hold all of the list, and cannot count. */
  | { readonly type: 'facets'; readonly facets: Facets | 'too long' }
  | { readonly type: 'state'; readonly state: ContactState }
  /** Parts of the view that are wrong, and so left out: the names of the parameters, `sort` among them. */
  | { readonly type: 'wrongFilters'; readonly names: readonly string[] }
  /** Undefined: there is none. Answers come in the order of their questions. */
  | { readonly type: 'picked'; readonly server: ListedServer | undefined };
