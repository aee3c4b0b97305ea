/** Writes MaxMind DB files, sound ones and others: https://maxmind.github.io/MaxMind-DB/ */

import { groupsOf } from '../../src/model/net/ip.ts';

/** Bytes stand in a file as they are, whatever they mean there. */
export type MmdbValue =
  string | number | boolean | Buffer | readonly MmdbValue[] | { readonly [key: string]: MmdbValue };

export interface Mmdb {
  /** The values by networks, as in `203.0.113.0/24`. One within another wins. */
  readonly networks: Readonly<Record<string, MmdbValue>>;
  readonly ipVersion?: 4 | 6;
  readonly recordSize?: 24 | 28 | 32;
  /** Members of the metadata in place of the right ones. */
  readonly metadata?: Readonly<Record<string, MmdbValue>>;
}

export const MARKER = Buffer.concat([Buffer.of(0xab, 0xcd, 0xef), Buffer.from('MaxMind.com')]);

/** A network of a country, as GeoLite2 Country has it. */
export const inCountry = (code: MmdbValue, names = {}): MmdbValue => ({
  country: { iso_code: code, geoname_id: 1, names },
});

/** The value in the data section, or in the metadata. */
export function encode(value: MmdbValue): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'string')
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return Buffer.concat([head(6, 4), uint(value, 4)]);
  if (typeof value === 'boolean') return head(14, value ? 1 : 0);
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const members = Object.entries(value);
  return Buffer.concat([head(7, members.length), ...members.flat().map(encode)]);
}

/** The beginning of a value of this type that claims so many bytes or members. */
export function head(type: number, size: number): Buffer {
  const [short, more] =
    size < 29
      ? [size, Buffer.of()]
      : size < 285
        ? [29, uint(size - 29, 1)]
        : size < 65_821
          ? [30, uint(size - 285, 2)]
          : [31, uint(size - 65_821, 3)];
  return Buffer.concat([type < 8 ? Buffer.of((type << 5) | short) : Buffer.of(short, type - 7), more]);
}

/** A number of the metadata, in the type that libmaxminddb requires. */
export const uint16 = (value: number): Buffer => Buffer.concat([head(5, 2), uint(value, 2)]);

/** A pointer to so many bytes behind the beginning of the data. */
export const pointer = (offset: number): Buffer => Buffer.concat([Buffer.of(0x38), uint(offset, 4)]);

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** A node of the tree with its two children, or the offset of a value. */
type Tree = [Tree, Tree] | number | undefined;

export function mmdb({ networks, ipVersion = 6, recordSize = 24, metadata = {} }: Mmdb): Buffer {
  const offsets = new Map<string, number>();
  const data: Buffer[] = [];
  let bytes = 0;
  const offsetOf = (value: MmdbValue): number => {
    const encoded = encode(value);
    const key = encoded.toString('latin1');
    if (!offsets.has(key)) {
      offsets.set(key, bytes);
      data.push(encoded);
      bytes += encoded.length;
    }
    return offsets.get(key)!;
  };
  let tree: Tree = [undefined, undefined];
  for (const [bits, value] of placesOf(networks, ipVersion)) tree = put(tree, bits, offsetOf(value));
  const nodes: [Tree, Tree][] = [];
  const numbers = new Map<Tree, number>();
  const number = (node: Tree): void => {
    if (!Array.isArray(node)) return;
    numbers.set(node, nodes.length);
    nodes.push(node);
    node.forEach(number);
  };
  number(tree);
  const recordOf = (node: Tree): number =>
    numbers.get(node) ?? nodes.length + (typeof node === 'number' ? 16 + node : 0);
  return Buffer.concat([
    ...nodes.map(([left, right]) => encodeNode(recordOf(left), recordOf(right), recordSize)),
    Buffer.alloc(16),
    ...data,
    MARKER,
    encode({
      node_count: nodes.length,
      record_size: uint16(recordSize),
      ip_version: uint16(ipVersion),
      binary_format_major_version: uint16(2),
      binary_format_minor_version: uint16(0),
      database_type: 'Test-Country',
      languages: ['en'],
      build_epoch: Buffer.concat([head(9, 4), uint(1_700_000_000, 4)]),
      description: { en: 'Made for a test' },
      ...metadata,
    }),
  ]);
}

/** The bits of each network with its value, the widest network first. */
function placesOf(networks: Mmdb['networks'], ipVersion: 4 | 6): [bits: string, value: MmdbValue][] {
  return Object.entries(networks)
    .map(([network, value]): [string, MmdbValue] => {
      const [ip, length] = network.split('/') as [string, string];
      const bits = bitsOf(ip).slice(0, Number(length));
      return [ip.includes(':') || ipVersion === 4 ? bits : '0'.repeat(96) + bits, value];
    })
    .toSorted(([one], [other]) => one.length - other.length);
}

function bitsOf(ip: string): string {
  return groupsOf(ip)
    .map((group) => group.toString(2).padStart(16, '0'))
    .join('');
}

function put(tree: Tree, bits: string, offset: number): Tree {
  if (bits === '') return offset;
  const [left, right] = Array.isArray(tree) ? tree : [tree, tree];
  return bits.startsWith('0')
    ? [put(left, bits.slice(1), offset), right]
    : [left, put(right, bits.slice(1), offset)];
}

function encodeNode(left: number, right: number, recordSize: 24 | 28 | 32): Buffer {
  if (recordSize !== 28) return Buffer.concat([left, right].map((each) => uint(each, recordSize / 8)));
  const high = ((left >>> 24) << 4) | (right >>> 24);
  return Buffer.concat([uint(left & 0xffffff, 3), Buffer.of(high), uint(right & 0xffffff, 3)]);
}
