/** The address of the page: what of it is a query for servers, and what belongs to the page alone. */

import { decode } from '../../model/query/parameters.ts';
import type { EmbedLook } from '../address/embed-look.ts';
import { keptParts, OWN_PARAMETERS, parsePageUrl, type FilterParameter } from '../address/page-url.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { chooseLanguage, LANGUAGES } from '../texts/languages.ts';

export interface PageAddress {
  /** As `GET /servers` takes it. */
  readonly query: string;
  /** Whose details are asked for. */
  readonly serverId: string | undefined;
  readonly isEmbedded: boolean;
  /** Of an embedded page. */
  readonly look: EmbedLook;
  /** Likewise: filters that cannot be taken away, which are also in the query. */
  readonly locked: readonly FilterParameter[];
  /** One that the page has, and that the address asks for; undefined for that of the browser. */
  readonly language: string | undefined;
}

/** What is no part of the query: the page has its own number of rows, and of fields. */
const LEFT_OUT: readonly string[] = [...OWN_PARAMETERS, 'limit', 'include'];

/** `raw`: the query of the address without its ?, still percent-encoded. */
export function parsePageAddress(raw: string): PageAddress {
  const { serverId, isEmbedded, look, locked, language: wanted } = parsePageUrl(raw);
  const others = raw.split('&').filter((pair) => pair !== '' && !LEFT_OUT.includes(nameOf(pair)));
  const hasSort = others.some((pair) => nameOf(pair) === 'sort');
  const language = wanted?.toLowerCase();
  return {
    query: [...others, ...(hasSort ? [] : [`sort=${DEFAULT_SORT}`])].join('&'),
    serverId,
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

/** A query of the page in this language, or in this frame. `query`: '' or one for servers. */
export function pageQuery(address: PageAddress, query: string): string {
  const kept = keptParts(address);
  return [...kept, ...query.split('&').filter((pair) => pair !== '' && !kept.includes(pair))].join('&');
}
