/**
 * Parses the state of a game server from a program or a file: a JSON object in the words of a broadcast. The person who
 * runs the game server writes it, so a wrong field is named, and not passed over; texts are cleaned as those of games.
 *
 *   server_name, map, mode, version, region: texts    country: two letters    players, max_players: integers
 *   password: true or false    tags: a list of texts    meta: an object
 *
 * It may have `server_name`, `players`, `max_players`, and all details (model/fields/detail-fields.ts) but addresses
 * and latency. All are optional, and null means not said. Where the game server listens is an option, and no matter of
 * these.
 */

import { continentOf } from '../../../model/country.ts';
import { didYouMean } from '../../../model/did-you-mean.ts';
import { isHarmlessJson } from '../../../model/harmless-json.ts';
import { parseJson } from '../../../model/json.ts';
import { detailMembers, type Json } from '../../../model/fields/detail-fields.ts';
import type { FieldSchema } from '../../../model/fields/field-schema.ts';
import { broadcastSchema } from '../../../model/game-server.ts';
import type { GameState } from './game-state.ts';
import { printableLine } from './printable-line.ts';
import { stateOf } from './state-of.ts';

const { server_name, players, max_players } = broadcastSchema.properties;
const { addresses: _, latency: __, ...details } = detailMembers('rules');

const FIELDS: Readonly<Record<string, FieldSchema>> = { server_name, players, max_players, ...details };

const NAMES = Object.keys(FIELDS);

/** The longest text that is read. */
export const MOST_STATE_BYTES = 64 * 1024;

/**
 * `broken`: no JSON, as of a file that is just being written. `wrong`: JSON that cannot be used; `why` completes
 * "FILE …" or "PROGRAM …".
 */
export type ParsedState =
  | { readonly is: 'told'; readonly state: GameState }
  | { readonly is: 'broken'; readonly why: string }
  | { readonly is: 'wrong'; readonly why: string };

export function parseState(text: string): ParsedState {
  // Editors and shells of Windows begin a text with a mark of its encoding.
  const value = parseJson(text.replace(/^\ufeff/, ''));
  if (value === undefined) {
    const beginning = printableLine(text);
    return { is: 'broken', why: beginning === '' ? 'says nothing' : `says no JSON: ${beginning}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { is: 'wrong', why: 'says JSON that is no object like {"players": 3}' };
  const said = Object.entries(value as Readonly<Record<string, Json>>).filter(([, each]) => each !== null);
  const problem = said.map(([name, each]) => problemOf(name, each)).find((each) => each !== undefined);
  if (problem !== undefined) return { is: 'wrong', why: problem };
  const fields = Object.fromEntries(said);
  const { server_name: name, max_players: maxPlayers, ...others } = fields;
  return { is: 'told', state: stateOf({ ...others, name, maxPlayers } as GameState) };
}

function problemOf(name: string, value: Json): string | undefined {
  if (!Object.hasOwn(FIELDS, name))
    return `says an unknown field ${printableLine(name)}${meant(name) || `; the fields are ${NAMES.join(', ')}`}`;
  const schema = FIELDS[name]!;
  if (isSound(schema, value)) return undefined;
  return `says ${name} that is not ${schema.format === 'text' ? 'a text' : schema.description}`;
}

/** Suggests the field that was meant. It finds `maxPlayers` and `name`, too. */
function meant(name: string): string {
  const word = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const same = NAMES.find((each) => each === word || each === `server_${word}`);
  return same === undefined ? didYouMean(word, NAMES) : `; did you mean ${same}?`;
}

function isSound({ type, format, minimum, maximum, json }: FieldSchema, value: Json): boolean {
  if (format === 'country') return typeof value === 'string' && continentOf(value) !== undefined;
  if (type === 'string') return typeof value === 'string';
  if (type === 'integer')
    return Number.isInteger(value) && Number(value) >= minimum! && Number(value) <= maximum!;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'array') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  return (
    typeof value === 'object' &&
    !Array.isArray(value) &&
    isHarmlessJson(json!.mostLevels, value) &&
    Buffer.byteLength(JSON.stringify(value)) <= json!.mostBytes
  );
}
