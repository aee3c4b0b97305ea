/** The address of the page: what of it is a query for servers, and what belongs to the page alone. */

import { decode } from '../query/parameters.ts';
import { OWN_PARAMETERS } from '../page/address/page-url.ts';
import { DEFAULT_SORT } from '../page/address/sort-order.ts';
import { chooseLanguage, LANGUAGES } from '../page/texts/languages.ts';

export interface PageAddress {
  /** As `GET /servers` takes it. */
  readonly query: string;
  /** Whose details are asked for. */
  readonly serverId: string | undefined;
  readonly isEmbedded: boolean;
  /** One that the page has, and that the address asks for; undefined for that of the browser. */
  readonly language: string | undefined;
}

/** What is no part of the query: the page has its own number of rows, and of fields. */
const LEFT_OUT: readonly string[] = [...OWN_PARAMETERS, 'limit', 'include'];

/** `raw`: the query of the address without its ?, still percent-encoded. */
export function parsePageAddress(raw: string): PageAddress {
  const own = new Map<string, string | undefined>();
  const others: string[] = [];
  let hasSort = false;
  for (const pair of raw.split('&')) {
    const [rawName = '', ...rest] = pair.split('=');
    const name = decode(rawName) ?? rawName;
    hasSort ||= name === 'sort';
    if (LEFT_OUT.includes(name)) {
      // Of two the first counts, as for the page with its script.
      if (!own.has(name)) own.set(name, decode(rest.join('=')));
    } else if (pair !== '') others.push(pair);
  }
  const language = own.get('lang')?.toLowerCase();
  return {
    query: [...others, ...(hasSort ? [] : [`sort=${DEFAULT_SORT}`])].join('&'),
    serverId: own.get('server') || undefined,
    isEmbedded: own.has('embed'),
    language: language !== undefined && LANGUAGES.has(language) ? language : undefined,
  };
}

/** The language of the page. `accepted`: tags of languages, the best first. */
export function languageOf({ language }: PageAddress, accepted: readonly string[]): string {
  return language ?? chooseLanguage(accepted);
}

/** A query of the page in this language, or in this frame. `query`: '' or one for servers. */
export function pageQuery({ isEmbedded, language }: PageAddress, query: string): string {
  return [
    ...(isEmbedded ? ['embed'] : []),
    ...(language === undefined ? [] : [`lang=${language}`]),
    ...(query === '' ? [] : [query]),
  ].join('&');
}
