/**
 * The messages between the page and its worker. The worker holds the list and follows it; the page holds the rows in
 * view. Times are ms since the epoch.
 */

import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import type { Measured } from '../near/nearness.ts';
import type { ListedRow, RowRange } from '../../model/view/listed-row.ts';

/** The view that the page wants: which rows, and in which order. */
export interface ListView {
  /** Filters in the grammar of `GET /servers`, as a query string without `?`. */
  readonly filters: string;
  /** The order as in `GET /servers`, such as `-players,name`. */
  readonly sort: string;
  /** The only ids to show; undefined for all. */
  readonly ids: readonly string[] | undefined;
  /** The regions whose servers come first; the order of the regions has no meaning. */
  readonly firstRegions: readonly string[];
  /** What the player has measured, for the order by nearness. */
  readonly near?: Measured | undefined;
}

/** The fields by which servers are counted and filtered in facets, beside labels, origin and keys of `meta`. */
export const FACETS = ['region', 'country', 'mode', 'map', 'tags', 'version'] as const;
/** The name of a facet, as in the address. */
export type FacetName = (typeof FACETS)[number] | 'labels' | 'origin' | `meta.${string}`;

export function facetNames(metaKeys: readonly string[]): readonly FacetName[] {
  return [...FACETS, 'labels', 'origin', ...metaKeys.map((key) => `meta.${key}` as const)];
}

/** The key of `meta` that a filter of this name is about; undefined if it is about a field. */
export function metaKeyOf(name: string): string | undefined {
  return name.startsWith('meta.') ? name.slice('meta.'.length) : undefined;
}

/** The values of a facet that the page wants. */
export interface FacetAsk {
  readonly most: number;
  /** The values must contain this text, in any case; '' for all values. */
  readonly sought: string;
}
export type FacetAsks = Readonly<Record<FacetName, FacetAsk>>;

/** The number of servers with a value, and of players on them. */
export interface FacetValue {
  readonly value: string;
  readonly servers: number;
  readonly players: number;
}

export interface Facet {
  /** The most common values that were asked for come first. Values that a filter names are always included. */
  readonly values: readonly FacetValue[];
  /** How many more of the values that were asked for exist. */
  readonly more: number;
}
export type Facets = Readonly<Record<FacetName, Facet>>;

/** The servers that match all filters, and what they have together. */
export interface Totals {
  readonly servers: number;
  readonly players: number;
  readonly places: number;
  readonly empty: number;
  readonly full: number;
}

/** The first message to a worker. */
export interface Start {
  readonly type: 'start';
  /** The URL to which the addresses of the API are relative. */
  readonly baseUrl: string;
  /** The keys of `meta` by which servers are counted. */
  readonly metaKeys: readonly string[];
  readonly view: ListView;
  readonly range: RowRange;
}

export type ToWorker =
  | Start
  | { readonly type: 'view'; readonly view: ListView; readonly range: RowRange }
  | { readonly type: 'range'; readonly range: RowRange }
  /** Counts the values of the facets from now on; undefined ends that. */
  | { readonly type: 'facets'; readonly asked: FacetAsks | undefined }
  /** While held, rows change in place, and their order and number stay. */
  | { readonly type: 'hold'; readonly isHeld: boolean }
  /** While paused, nothing changes at all: changes are collected until the pause ends. */
  | { readonly type: 'pause'; readonly isPaused: boolean }
  /** Whether the page is visible. */
  | { readonly type: 'visible'; readonly isVisible: boolean }
  /** Connects at once, without waiting for the next try. */
  | { readonly type: 'retry' }
  /**
   * Asks for a server of the view to play on now that is not one of `without`. `asksRegion`: the player has not chosen
   * a region yet, and is asked first if there are several. The answer is 'picked'.
   */
  | { readonly type: 'pick'; readonly without: readonly string[]; readonly asksRegion: boolean };

/** The rows of a range, with the totals of the view. */
export interface Rows {
  readonly type: 'rows';
  /** The view of the rows: the one asked for last, or an earlier one. */
  readonly view: ListView;
  /** The place of the first row, which is that of the range if there are so many rows. */
  readonly start: number;
  readonly rows: readonly ListedRow[];
  /** How many rows the view has: one for each matching server, and while held also those of servers that are gone. */
  readonly total: number;
  /** How many of the rows are not those of gone servers. */
  readonly matching: number;
  /** The players of all rows except gone ones. */
  readonly players: number;
  /** The number of servers in the whole list. */
  readonly listed: number;
  /** How many servers would come, go or move if the order were not held, or have changes in a pause. */
  readonly waiting: number;
  /**
   * The rows by which the first row of the range has moved, because rows came or left before it. The range has moved
   * along: `start` is the new place. A range that begins at 0 stays there.
   */
  readonly shift: number;
}

export type FromWorker =
  | Rows
  /** 'too long': the worker does not hold the whole list, and cannot count. */
  | { readonly type: 'facets'; readonly facets: Facets | 'too long'; readonly totals?: Totals }
  | { readonly type: 'state'; readonly state: ContactState }
  /** The names of parameters that are wrong, and so ignored; `sort` may be among them. */
  | { readonly type: 'wrongFilters'; readonly names: readonly string[] }
  | Picked;

/** The answer to a question for a server. Answers come in the order of the questions. */
export interface Picked {
  readonly type: 'picked';
  /** Undefined if there is none. */
  readonly picked: ListedServer | 'asks region' | undefined;
}
