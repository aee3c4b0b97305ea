/** The parts of a row: those that an embedded page can choose, and where a row of a search has its words. */

import { addressOf } from '../../../model/address-of.ts';
import { comparableName } from '../../../model/fold.ts';
import type { ListedServer } from '../../../model/view/listed-server.ts';
import type { PageState } from '../../address/page-url.ts';

/** The parts by their names in the address (`columns`). The name is always there. */
const PARTS = [
  'players',
  'map',
  'mode',
  'region',
  'version',
  'tags',
  'password',
  'address',
  'actions',
] as const;
export type RowPart = (typeof PARTS)[number] | 'favourite';

/** The details have the address, so a row has it only where it is asked for. */
const USUAL: ReadonlySet<RowPart> = new Set(['favourite', ...PARTS.filter((part) => part !== 'address')]);

/** An embedded page shows no favourites, and so no stars. */
export function shownParts({
  isEmbedded,
  look,
}: Pick<PageState, 'isEmbedded' | 'look'>): ReadonlySet<RowPart> {
  if (!isEmbedded) return USUAL;
  const named = PARTS.filter((part) => look.columns?.includes(part));
  if (named.length > 0 || look.columns?.includes('name')) return new Set(named);
  return new Set([...USUAL].filter((part) => part !== 'favourite'));
}

/** A text in which searched words are found. */
export interface Hit {
  readonly field: 'host' | 'address' | 'region' | 'version';
  readonly text: string;
}

/** The place of the first word that no row shows by itself; undefined if the row shows all words. */
export function hitOf(server: ListedServer, words: readonly string[]): Hit | undefined {
  if (words.length === 0) return undefined;
  const { name, map, mode, tags = [], region, version, host, ip, port } = server;
  const seen = comparableName([name, map, mode, ...tags].join('\n'));
  const word = words.find((each) => !seen.includes(each));
  if (word === undefined) return undefined;
  const places: readonly (readonly [Hit['field'], string | undefined])[] = [
    ['region', region],
    ['version', version],
    ['host', addressOf(host, port)],
    ['address', addressOf(ip, port)],
  ];
  for (const [field, text] of places)
    if (text !== undefined && comparableName(text).includes(word)) return { field, text };
  return undefined;
}
