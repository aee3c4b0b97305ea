/** Parses the address of the page into a query for servers and the state that belongs to the page alone. */

import { NEAR } from '../../model/near.ts';
import { decode } from '../../model/query/parameters.ts';
import type { EmbedLook } from '../address/embed-look.ts';
import {
  filtersText,
  hidingFilters,
  keptParts,
  OWN_PARAMETERS,
  parsePageUrl,
  type FilterParameter,
} from '../address/page-url.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { chooseLanguage, LANGUAGES } from '../texts/languages.ts';

export interface PageAddress {
  /** The query in the form of `GET /servers`. */
  readonly query: string;
  /** The id of the server that an address of an earlier release names; undefined if it names none. */
  readonly formerServerId: string | undefined;
  readonly isOverview: boolean;
  readonly isEmbedded: boolean;
  /** The look of an embedded page. */
  readonly look: EmbedLook;
  /** For an embedded page: filters that readers cannot remove. The query has them, too. */
  readonly locked: readonly FilterParameter[];
  /** A language that the page has and that the address asks for; undefined for that of the browser. */
  readonly language: string | undefined;
}

/** The parameter that named a server before it had a page of its own. */
const FORMER = 'server';

/** The parameters that are left out of the query. The page has its own number of rows, and its own fields. */
const LEFT_OUT: readonly string[] = [...OWN_PARAMETERS, FORMER, 'limit', 'include'];

/**
 * `raw`: the query of the address without its ?, still percent-encoded. `hiddenLabels`: those whose servers are hidden
 * until a reader asks for them.
 */
export function parsePageAddress(raw: string, hiddenLabels: readonly string[] = []): PageAddress {
  const state = parsePageUrl(raw);
  const { view, isEmbedded, look, locked, language: wanted } = state;
  const hiding = filtersText(hidingFilters(state, hiddenLabels));
  const pairs = raw.split('&').filter((pair) => pair !== '');
  const others = pairs.filter((pair) => !LEFT_OUT.includes(nameOf(pair)) && pair !== `sort=${NEAR}`);
  const former = pairs.find((pair) => nameOf(pair) === FORMER);
  const hasSort = others.some((pair) => nameOf(pair) === 'sort');
  const language = wanted?.toLowerCase();
  return {
    query: [...others, ...(hiding === '' ? [] : [hiding]), ...(hasSort ? [] : [`sort=${DEFAULT_SORT}`])].join(
      '&',
    ),
    // An empty one names none.
    formerServerId: decode(former?.slice(FORMER.length + 1) ?? '') || undefined,
    isOverview: view === 'overview',
    isEmbedded,
    look,
    locked,
    language: language !== undefined && LANGUAGES.has(language) ? language : undefined,
  };
}

function nameOf(pair: string): string {
  const [rawName = ''] = pair.split('=', 1);
  return decode(rawName) ?? rawName;
}

/** The language of the page. `accepted`: tags of languages, the best first. */
export function languageOf({ language }: PageAddress, accepted: readonly string[]): string {
  return language ?? chooseLanguage(accepted);
}

/** Pairs that need not be in an address: its order is that of the page without them. */
const NEEDLESS: readonly string[] = ['', `sort=${DEFAULT_SORT}`];

/** The query with the language and the frame of this address. `query`: '' or one for servers. */
export function pageQuery(address: PageAddress, query: string): string {
  const left = [...keptParts(address), ...NEEDLESS];
  return [...keptParts(address), ...query.split('&').filter((pair) => !left.includes(pair))].join('&');
}
