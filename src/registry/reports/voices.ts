/**
 * The voices of readers against an entry: one of each network, for a week. How a registry keeps them is its own matter
 * (../memory/memory-reports.ts, ../redis/redis-reports.ts); the rules are here.
 */

import { parseJson } from '../../model/json.ts';
import type { GameServerId } from '../../model/game-server.ts';

export interface Voice {
  /** A hash of the network of the reader, by which it is known again and cannot be found. */
  readonly network: string;
  readonly reason: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly note?: string;
}

/** The voices about entries, the oldest first. */
export type Voices = ReadonlyMap<GameServerId, readonly Voice[]>;

/** A voice counts for a week. */
export const VOICE_LIFE_MS = 7 * 86_400_000;
/** The most voices about one entry: the latest. */
export const MOST_OF_ONE = 64;
/** The most voices in all. */
export const MOST_IN_ALL = 20_000;
/** The longest note in characters: with MOST_OF_ONE of them a line of a data file is short enough. */
export const LONGEST_NOTE = 160;

/** The voices that count at `now`, ms since the epoch. */
export function inForce(voices: readonly Voice[], now: number): readonly Voice[] {
  return voices.filter(({ at }) => now - at < VOICE_LIFE_MS);
}

/** The voices with this one, in place of an earlier one of its network. */
export function withVoice(voices: readonly Voice[], voice: Voice): readonly Voice[] {
  const others = inForce(voices, voice.at).filter(({ network }) => network !== voice.network);
  return [...others, voice].slice(-MOST_OF_ONE);
}

/** The entries whose voices have to go so that there are not too many: those with the fewest, the oldest first. */
export function beyondAll(all: Voices): readonly GameServerId[] {
  let excess = [...all.values()].reduce((sum, { length }) => sum + length, -MOST_IN_ALL);
  if (excess <= 0) return [];
  const order = [...all].toSorted(([, a], [, b]) => a.length - b.length || a.at(-1)!.at - b.at(-1)!.at);
  const ids: GameServerId[] = [];
  for (const [id, { length }] of order) {
    if (excess <= 0) break;
    ids.push(id);
    excess -= length;
  }
  return ids;
}

/** The voices as a text; '' for none. */
export function formatVoices(voices: readonly Voice[]): string {
  if (voices.length === 0) return '';
  return JSON.stringify(
    voices.map(({ network, reason, at, note }) => [network, reason, at, ...(note ? [note] : [])]),
  );
}

/** The voices of a text. What another program has put there counts as none. */
export function parseVoices(text: string): readonly Voice[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown): readonly Voice[] => {
    const [network, reason, at, note] = Array.isArray(each) ? (each as unknown[]) : [];
    if (typeof network !== 'string' || typeof reason !== 'string' || !Number.isSafeInteger(at)) return [];
    return [{ network, reason, at: at as number, ...(typeof note === 'string' && { note }) }];
  });
}
