/** The state of the page that its address holds. Knows nothing of what the filters mean. */

import { DEFAULT_RANGE, isHistoryRange, type HistoryRange } from './history.ts';

/** One filter as the address has it. */
export interface FilterParameter {
  /** As in `GET /servers`: `map`, `map!`, `meta.level`. */
  readonly name: string;
  /** Still percent-encoded. */
  readonly rawValue: string;
}

export interface PageState {
  readonly view: 'list' | 'overview';
  /** Of the charts of the overview. */
  readonly range: HistoryRange;
  /** Whose details are shown over the list; undefined for none. */
  readonly serverId: string | undefined;
  readonly filters: readonly FilterParameter[];
  /** As in `GET /servers`. */
  readonly sort: string;
  readonly isFavouritesOnly: boolean;
  /** Whether the page is a part of another one. */
  readonly isEmbedded: boolean;
  /** The language that the address asks for; undefined for that of the browser. */
  readonly language: string | undefined;
}

/** The most players first. */
export const DEFAULT_SORT = '-players';

/** `search`: of a URL, with or without its `?`. */
export function parsePageUrl(search: string): PageState {
  const parameters = search
    .replace(/^\?/, '')
    .split('&')
    .filter((text) => text !== '')
    .map((text) => {
      const [name = '', ...value] = text.split('=');
      return { name: decodeURIComponent(name), rawValue: value.join('=') };
    });
  const valueOf = (name: string): string | undefined =>
    parameters.find((each) => each.name === name)?.rawValue;
  const range = valueOf('range');
  const own = ['view', 'range', 'server', 'sort', 'favourites', 'embed', 'lang', 'cursor', 'limit'];
  return {
    view: valueOf('view') === 'overview' ? 'overview' : 'list',
    range: isHistoryRange(range) ? range : DEFAULT_RANGE,
    serverId: valueOf('server'),
    filters: parameters.filter(({ name }) => !own.includes(name)),
    sort: valueOf('sort') ?? DEFAULT_SORT,
    isFavouritesOnly: valueOf('favourites') !== undefined,
    isEmbedded: valueOf('embed') !== undefined,
    language: valueOf('lang'),
  };
}

/** '' or a text that begins with `?`; the same for states that are the same. */
export function formatPageUrl(state: PageState): string {
  const parts = [
    ...(state.isEmbedded ? ['embed'] : []),
    ...(state.language === undefined ? [] : [`lang=${state.language}`]),
    ...(state.view === 'overview' ? ['view=overview'] : []),
    ...(state.view === 'overview' && state.range !== DEFAULT_RANGE ? [`range=${state.range}`] : []),
    ...(state.filters.length === 0 ? [] : [filtersText(state.filters)]),
    ...(state.sort === DEFAULT_SORT ? [] : [`sort=${state.sort}`]),
    ...(state.isFavouritesOnly ? ['favourites'] : []),
    ...(state.serverId === undefined ? [] : [`server=${encodeURIComponent(state.serverId)}`]),
  ];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** As the query of a request, without `?`. */
export function filtersText(filters: readonly FilterParameter[]): string {
  return filters.map(({ name, rawValue }) => `${encodeURIComponent(name)}=${rawValue}`).join('&');
}
