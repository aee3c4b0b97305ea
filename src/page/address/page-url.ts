/** The state of the page, as its address holds it. Any text is an address: parts without a meaning are ignored. */

import { DEFAULT_LOOK, LOOK_PARAMETERS, lookParts, parseEmbedLook, type EmbedLook } from './embed-look.ts';
import { isHistoryRange, type HistoryRange } from './history-ranges.ts';
import { MOST_PARAMETERS } from '../../model/query/limits.ts';
import { DEFAULT_SORT } from './sort-order.ts';

/** One filter, as the address has it. */
export interface FilterParameter {
  /** The name as in `GET /servers`: `map`, `map!`, `meta.level`. */
  readonly name: string;
  /** The value, still percent-encoded, and never empty. */
  readonly rawValue: string;
}

export interface PageState {
  /** `server`: one server alone. */
  readonly view: 'list' | 'overview' | 'server';
  /** The range of the overview's charts; undefined for one that has data. */
  readonly range: HistoryRange | undefined;
  /** The id of the server whose details are shown, alone or over the list; undefined for none. */
  readonly serverId: string | undefined;
  /** The join code of an unlisted server to open, as a person writes it; '' asks for one; undefined for none. */
  readonly joinCode: string | undefined;
  /** Whether the form for a missing server is open. An embedded page has none. */
  readonly isMissingOpen: boolean;
  readonly filters: readonly FilterParameter[];
  /** For an embedded page: further filters, which readers cannot remove. */
  readonly locked: readonly FilterParameter[];
  /** The order, as in `GET /servers`. */
  readonly sort: string;
  readonly isFavouritesOnly: boolean;
  /** Whether servers are shown whose labels the operator hides at first. */
  readonly showsHidden: boolean;
  /** Whether the page is a part of another one. */
  readonly isEmbedded: boolean;
  /** The look of an embedded page. */
  readonly look: EmbedLook;
  /** The language that the address asks for; undefined for that of the browser. */
  readonly language: string | undefined;
}

/** The most filters of the page: the page adds up to three parameters of its own to a request. */
export const MOST_FILTERS = MOST_PARAMETERS - 3;

/** The parameters that only the page uses. The service leaves them out of its query. */
export const OWN_PARAMETERS = [
  'view',
  'range',
  'list',
  'join',
  'missing',
  'favourites',
  'hidden',
  'embed',
  'lock',
  'lang',
  ...LOOK_PARAMETERS,
] as const;

/** The parameters that are no filters: those of the page, and other parameters of requests. */
const NO_FILTERS: readonly string[] = [...OWN_PARAMETERS, 'sort', 'cursor', 'limit', 'include', 'since'];
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{1,8}){0,3}$/i;

/**
 * `search`: the query of a URL, with or without its `?`. `path`: what follows the address of the page in that URL, `/`
 * and the id of a server, or nothing.
 */
export function parsePageUrl(search: string, path = ''): PageState {
  const parameters = search
    .replace(/^\?/, '')
    .split('&')
    .map((text) => {
      const [rawName, rawValue = ''] = text.split(/=(.*)/s) as [string, string?];
      return { name: decodeText(rawName), rawValue: canonical(rawValue) };
    });
  /** Undefined if the parameter is absent or empty. */
  const valueOf = (name: string): string | undefined => {
    const raw = parameters.find((each) => each.name === name)?.rawValue;
    return raw === undefined || raw === '' ? undefined : decodeText(raw);
  };
  const has = (name: string): boolean => parameters.some((each) => each.name === name);
  const language = valueOf('lang');
  const serverId = path.length > 1 ? decodeText(path.slice(1).replaceAll('+', '%2B')) : undefined;
  const isAlone = serverId !== undefined && !has('list');
  const view = isAlone ? 'server' : valueOf('view') === 'overview' ? 'overview' : 'list';
  const range = valueOf('range');
  const isEmbedded = has('embed');
  const filters = filtersIn(parameters);
  const locked = isEmbedded ? lockedIn(parameters) : [];
  return {
    view,
    range: view === 'overview' && isHistoryRange(range) ? range : undefined,
    serverId: view === 'overview' ? undefined : serverId,
    joinCode: has('join') ? (valueOf('join') ?? '') : undefined,
    isMissingOpen: has('missing') && !isEmbedded,
    filters: filters.slice(locked.length),
    locked,
    sort: valueOf('sort') ?? DEFAULT_SORT,
    isFavouritesOnly: has('favourites'),
    showsHidden: has('hidden'),
    isEmbedded,
    look: isEmbedded ? parseEmbedLook(valueOf) : DEFAULT_LOOK,
    language: language !== undefined && LANGUAGE.test(language) ? language : undefined,
  };
}

type KeptState = Pick<PageState, 'isEmbedded' | 'look' | 'locked' | 'language'>;

/** The parts of the address that every link keeps. */
export function keptParts({ isEmbedded, look, locked, language }: KeptState): readonly string[] {
  return [
    ...(isEmbedded ? ['embed', ...lookParts(look)] : []),
    ...(language === undefined ? [] : [`lang=${language}`]),
    ...locked.map((filter) => filtersText([filter])),
    ...(locked.length === 0 || !isEmbedded ? [] : ['lock=1']),
  ];
}

/**
 * The part behind the address of the page: the id of a server and a query, or either, or ''. Equal states have equal
 * texts.
 */
export function formatPageUrl(state: PageState): string {
  const serverId = state.view === 'overview' ? undefined : state.serverId;
  const parts = [
    ...keptParts(state),
    ...(serverId !== undefined && state.view === 'list' ? ['list'] : []),
    ...(state.view === 'overview' ? ['view=overview'] : []),
    ...(state.view === 'overview' && state.range !== undefined ? [`range=${state.range}`] : []),
    ...(state.filters.length === 0 ? [] : [filtersText(state.filters)]),
    ...(state.sort === DEFAULT_SORT ? [] : [`sort=${encodeText(state.sort).replaceAll('%2C', ',')}`]),
    ...(state.isFavouritesOnly ? ['favourites'] : []),
    ...(state.showsHidden ? ['hidden'] : []),
    ...(state.joinCode === undefined
      ? []
      : [state.joinCode === '' ? 'join' : `join=${encodeText(state.joinCode)}`]),
    ...(state.isMissingOpen && !state.isEmbedded ? ['missing'] : []),
  ];
  const path = serverId === undefined ? '' : `/${encodeText(serverId)}`;
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

/** All filters that narrow the list, locked or not. */
export function allFilters({
  locked,
  filters,
}: Pick<PageState, 'locked' | 'filters'>): readonly FilterParameter[] {
  return locked.length === 0 ? filters : [...locked, ...filters];
}

/** The filter that hides servers with these labels, unless the reader asks for them, or filters by labels. */
export function hidingFilters(
  state: Pick<PageState, 'showsHidden' | 'filters' | 'locked'>,
  labels: readonly string[],
): readonly FilterParameter[] {
  const isAskedFor = state.showsHidden || allFilters(state).some(({ name }) => name === 'labels');
  if (isAskedFor || labels.length === 0) return [];
  return [{ name: 'labels!', rawValue: labels.map(encodeText).join(',') }];
}

/** All filters of the list as the query of a request, those that hide servers with these labels among them. */
export function listFilters(state: PageState, labels: readonly string[]): string {
  return filtersText([...allFilters(state), ...hidingFilters(state, labels)]);
}

/** The filters as the query of a request, without `?`. */
export function filtersText(filters: readonly FilterParameter[]): string {
  return filters.map(({ name, rawValue }) => `${encodeText(name)}=${canonical(rawValue)}`).join('&');
}

/** A plus sign is a space. A text with an invalid escape stays as it is; broken Unicode becomes U+FFFD. */
export function decodeText(raw: string): string {
  try {
    return wellFormed(decodeURIComponent(raw.replaceAll('+', ' ')));
  } catch {
    return wellFormed(raw);
  }
}

/** The text as a value that means exactly this text: commas and stars are escaped. Broken Unicode becomes U+FFFD. */
export function encodeText(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll(/['*]/g, percentOf);
}

/** The value, with an escape for each character that a browser, or a reader of the address, would take for another. */
function canonical(rawValue: string): string {
  return rawValue.replaceAll(/[^\w.~!$()*+,;:@/?%=-]/gu, (character) =>
    character === "'" ? percentOf(character) : encodeText(character),
  );
}

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\ufffd');
}

function percentOf(character: string): string {
  return `%${character.codePointAt(0)!.toString(16).toUpperCase()}`;
}

function filtersIn(parameters: readonly FilterParameter[]): readonly FilterParameter[] {
  return withoutRepetitions(
    parameters.filter(({ name, rawValue }) => name !== '' && rawValue !== '' && !NO_FILTERS.includes(name)),
  ).slice(0, MOST_FILTERS);
}

/** The filters before the lock, or all filters if none is before it. Filters that a reader adds behind it stay free. */
function lockedIn(parameters: readonly FilterParameter[]): readonly FilterParameter[] {
  const at = parameters.findIndex(({ name }) => name === 'lock');
  if (parameters[at]?.rawValue !== '1') return [];
  const before = filtersIn(parameters.slice(0, at));
  return before.length > 0 ? before : filtersIn(parameters);
}

function withoutRepetitions(filters: readonly FilterParameter[]): readonly FilterParameter[] {
  return [...new Map(filters.map((each) => [`${each.name}=${each.rawValue}`, each])).values()];
}
