/**
 * Makes a reply into a GameState that every service accepts: texts cleaned and cut, counts within their bounds. Replies
 * are hostile: a value without a sense counts as missing. It knows no protocol.
 */

import { cleanText } from '../../../protocols/clean-text.ts';
import { DETAIL_FIELDS, detailsOf } from '../../../model/fields/detail-fields.ts';
import { broadcastSchema } from '../../../model/game-server.ts';
import type { GameState } from './game-state.ts';

/** A state as it came. Counts may be NaN, negative or huge, and texts may hold anything. */
export type RawState = { readonly [Name in keyof GameState]: GameState[Name] | undefined };

const { server_name: NAME, players: PLAYERS } = broadcastSchema.properties;
const TEXTS = detailsOf('text');
const FLAGS = detailsOf('boolean');
const { maxItems: MOST_TAGS, items: TAG } = DETAIL_FIELDS.tags.rules.list;

/** `meta` must be sound already: it is of our own making, or checked. */
export function stateOf(raw: RawState): GameState {
  const said = {
    name: textOf(raw.name, NAME.maxLength!),
    // The longest texts are in UTF-16 units, as a service counts.
    ...Object.fromEntries(
      TEXTS.map((name) => [name, textOf(raw[name], DETAIL_FIELDS[name].rules.maxLength!)]),
    ),
    players: countOf(raw.players),
    maxPlayers: countOf(raw.maxPlayers),
    ...Object.fromEntries(FLAGS.map((name) => [name, raw[name]])),
    tags: tagsOf(raw.tags ?? []),
    meta: raw.meta !== undefined && Object.keys(raw.meta).length > 0 ? raw.meta : undefined,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function textOf(value: string | undefined, longest: number): string | undefined {
  return cleanText(value ?? '', longest) || undefined;
}

function countOf(value: number | undefined): number | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  return Math.min(Math.max(Math.trunc(value), PLAYERS.minimum!), PLAYERS.maximum!) + 0;
}

/** The most texts that are looked at: cleaning may leave nothing of any of them. */
const LOOKED_AT = 4 * MOST_TAGS;

/** The tags, each once; of too many, the first ones. */
function tagsOf(texts: readonly string[]): readonly string[] | undefined {
  const found = new Set<string>();
  for (const text of texts.slice(0, LOOKED_AT)) {
    if (found.size === MOST_TAGS) break;
    const tag = cleanText(text, TAG.maxLength!);
    if (tag !== '') found.add(tag);
  }
  return found.size === 0 ? undefined : [...found];
}
