/**
 * The bytes of a record, as a text with a character for each byte (latin1): numbers of any length, seven bits a byte.
 * The longest record has less than 1,500. With the sum of its players in place of their mean an hour would take a byte
 * more.
 */

import {
  EMPTY,
  LEVEL_MINUTES,
  NOT_SEEN,
  type Level,
  type ServerRecord,
  type Sighting,
} from './server-record.ts';

/** The longest run of a level that a text may have. */
const MOST_NUMBERS = 366;

/** Longer than any record. */
const scratch = Buffer.alloc(8192);

export function encodeRecord({ forgottenAt, first, levels }: ServerRecord): string {
  let length = 0;
  const put = (number: number): void => {
    let rest = number;
    for (; rest > 127; rest = Math.floor(rest / 128)) scratch[length++] = (rest % 128) + 128;
    scratch[length++] = rest;
  };
  put(forgottenAt);
  put(first === Infinity ? 0 : first);
  for (const [at, level] of levels.entries()) {
    const numbers = [...level.keys()];
    const begin = Math.min(...numbers);
    const count = level.size === 0 ? 0 : Math.max(...numbers) - begin + 1;
    put(count);
    if (count > 0) put(begin);
    for (let number = begin; number < begin + count; number += 1) {
      const { seen, total, peak } = level.get(number) ?? NOT_SEEN;
      put(seen);
      if (seen === 0) continue;
      put(at === 0 ? total : total / seen);
      put(peak);
    }
  }
  return scratch.toString('latin1', 0, length);
}

/** Returns the empty record for no text, and for one that is damaged. */
export function decodeRecord(text: string | undefined): ServerRecord {
  if (!text) return EMPTY;
  const { record, next } = read(text, LEVEL_MINUTES.length);
  // Behind the end of the text there is no number.
  return next === text.length ? record : EMPTY;
}

/** Decodes the blocks alone of a text that is not damaged. `rest`: the text of hours and days. */
export function decodeBlocks(text: string): { readonly record: ServerRecord; readonly rest: string } {
  const { record, next } = read(text, 1);
  return { record, rest: text.slice(next) };
}

function read(text: string, levelCount: number): { readonly record: ServerRecord; readonly next: number } {
  let next = 0;
  const take = (): number => {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = text.charCodeAt(next);
      next += 1;
      number += (byte % 128) * unit;
      if (!(byte > 127)) return number;
    }
  };
  const forgottenAt = take();
  const first = take() || Infinity;
  const levels = LEVEL_MINUTES.slice(0, levelCount).map((_, at): Level => {
    const level = new Map<number, Sighting>();
    const count = take();
    if (!(count > 0 && count <= MOST_NUMBERS)) return level;
    const begin = take();
    for (let number = begin; number < begin + count; number += 1) {
      const seen = take();
      if (seen === 0) continue;
      const players = take();
      level.set(number, { seen, total: at === 0 ? players : players * seen, peak: take() });
    }
    return level;
  });
  return { record: { forgottenAt, first, levels }, next };
}
