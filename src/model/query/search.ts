/** The search for words in the texts of a game server that people read. Case and accents do not count. */

import { addressOf } from '../address-of.ts';
import type { DetailFields } from '../fields/detail-fields.ts';
import { comparableName } from '../fold.ts';

/** The words of a search, none of them empty. */
export function wordsOf(text: string): readonly string[] {
  return comparableName(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Who a game server is and where, as far as that is searched. */
export interface SearchedServer {
  readonly name: string;
  readonly host: string;
  readonly ip: string;
  readonly port: number;
}

/** The details that are searched. */
export type SearchedDetails = Pick<DetailFields, 'map' | 'mode' | 'tags' | 'region' | 'version'>;

/** The text of a game server in which words are searched. No word spans two fields, since none has a line feed. */
export function searchedText(
  { name, host, ip, port }: SearchedServer,
  { map, mode, tags = [], region, version }: SearchedDetails,
): string {
  const addresses = [addressOf(ip, port), ...(host === ip ? [] : [addressOf(host, port)])];
  return comparableName([name, map, mode, ...tags, region, version, ...addresses].join('\n'));
}
