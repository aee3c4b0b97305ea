/**
 * Reads a MaxMind DB with countries. mmdb-lib walks its tree and decodes its values. The sizes and pointers in a file
 * may be lies, by which a few bytes decode to more than a machine can hold: each value is inspected before.
 */

import { LRUCache } from 'lru-cache';
import { Reader } from 'mmdb-lib';
import type { CountryOf } from '../../api/http/context.ts';
import { continentOf } from '../../model/country.ts';
import { isRecord } from '../../model/json.ts';
import { comparableIp, ipv4Text } from '../../model/net/ip.ts';

/** The end of all data. The metadata follows, in at most so many bytes. */
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const MOST_METADATA_BYTES = 128 * 1024;
/** How many networks are looked at for a country: in the common files the second one has one. */
const MOST_LOOKED_AT = 256;
/** How many values are remembered. A file has a few hundred countries, but may have more values for cities. */
const MOST_KNOWN = 10_000;
/** The zeros between tree and data. */
const SEPARATOR_BYTES = 16;

const [POINTER, MAP, ARRAY, BOOLEAN] = [1, 7, 11, 14] as const;
/** The value to which a pointer, or a size, of so many bytes is added. */
const POINTER_BASES = [0, 0, 2048, 526_336, 0] as const;
const SIZE_BASES = [0, 29, 285, 65_821] as const;

/** The most values and levels of one value: a city in eight languages has some 250, in 5 levels. */
const MOST_VALUES = 2000;
const MOST_LEVELS = 16;
/** The bytes of text that count as one more value. */
const BYTES_OF_A_VALUE = 64;

/** Throws for a value that is not whole, or larger than any of a file of countries. Pointers count from `base`. */
function inspect(file: Buffer, base: number, start: number): void {
  let left = MOST_VALUES;
  /** Returns the offset behind the value. */
  function pass(offset: number, level: number): number {
    if ((left -= 1) < 0 || level > MOST_LEVELS) throw new RangeError('a value is too large');
    const control = file.readUInt8(offset);
    let at = offset + 1;
    let type = control >> 5;
    if (type === POINTER) {
      const bytes = ((control >> 3) & 3) + 1;
      const high = bytes === 4 ? 0 : (control & 7) * 256 ** bytes;
      pass(base + POINTER_BASES[bytes]! + high + file.readUIntBE(at, bytes), level + 1);
      return at + bytes;
    }
    if (type === 0) type = 7 + file.readUInt8(at++);
    const bytes = Math.max(0, (control & 31) - 28);
    const size = bytes === 0 ? control & 31 : SIZE_BASES[bytes]! + file.readUIntBE(at, bytes);
    at += bytes;
    if (type === MAP || type === ARRAY) {
      for (let members = type === MAP ? 2 * size : size; members > 0; members -= 1) at = pass(at, level + 1);
      return at;
    }
    left -= Math.floor(size / BYTES_OF_A_VALUE);
    return type === BOOLEAN ? at : at + size;
  }
  if (pass(start, 0) > file.length || left < 0) throw new RangeError('a value is not whole, or too large');
}

/** Undefined for a file that is not whole, is no MaxMind DB, or has no countries. */
export function readCountries(file: Buffer): CountryOf | undefined {
  const reader = attempt(() => createReader(file));
  if (reader === undefined || attempt(() => hasCountry(reader)) !== true) return undefined;
  return (ip) => {
    const address = comparableIp(ip);
    // In a tree of IPv4, mmdb-lib would look for the beginning of an IPv6 address.
    if (reader.metadata.ipVersion === 4 && address.includes(':')) return undefined;
    return attempt(() => countryIn(reader.get(address)));
  };
}

/** Undefined where the file is damaged. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function createReader(file: Buffer): Reader<object> {
  const start = file.lastIndexOf(MARKER) + MARKER.length;
  const begin = file[start] ?? 0;
  const isNear = start >= Math.max(MARKER.length, file.length - MOST_METADATA_BYTES);
  // No byte of the marker begins a map of up to 14 members, so mmdb-lib finds the same one.
  if (!isNear || begin <= 0xe0 || begin >= 0xef) throw new Error('there is no metadata');
  inspect(file, start, start);
  /** The values with a country by their offsets, without the rest of them. */
  const known = new LRUCache<string | number, object>({ max: MOST_KNOWN });
  const reader = new Reader<object>(file, {
    cache: {
      // It asks for each value behind a pointer before it decodes it.
      get: (offset) => known.get(offset) ?? inspect(file, dataAt, Number(offset)),
      set(offset, { value }: { readonly value: unknown }) {
        const code = countryIn(value);
        if (code !== undefined) known.set(offset, { value: { country: { iso_code: code } } });
      },
    },
  });
  const dataAt = reader.metadata.searchTreeSize + SEPARATOR_BYTES;
  return reader;
}

/** Whether one of the first IPv4 networks has a country: files of other kinds have none. */
function hasCountry(reader: Reader<object>): boolean {
  let address = 0;
  for (let looked = 0; looked < MOST_LOOKED_AT && address < 2 ** 32; looked += 1) {
    const ip = ipv4Text([Math.floor(address / 65_536), address % 65_536]);
    const [value, prefixBits] = reader.getWithPrefixLength(ip);
    if (countryIn(value) !== undefined) return true;
    address += 2 ** (32 - prefixBits);
  }
  return false;
}

/** The country of a network: where it is, or else where it is registered. */
function countryIn(value: unknown): string | undefined {
  const { country, registered_country: registered } = isRecord(value) ? value : {};
  return [country, registered]
    .map((each) => (isRecord(each) ? each['iso_code'] : undefined))
    .find((code): code is string => typeof code === 'string' && continentOf(code) !== undefined);
}
