/**
 * The packets of dpmaster's protocol, by doc/techinfo.txt, and by src/messages.c where the program differs from that.
 * Packets are read as dpmaster reads them, byte by byte; anything else is no packet. This file knows no senders.
 */

/** How many bytes of a packet are read, as in dpmaster. */
const MOST_BYTES_IN = 2048;
/** The longest packet that is sent, in bytes. */
export const MOST_BYTES_OUT = 1400;

const HEADER = 0xff_ff_ff_ff;
const HEADER_BYTES = 4;

/** A client's request for a list. */
export interface GetServers {
  /** `getserversExt`, whose answers have IPv6 addresses too. */
  readonly isExtended: boolean;
  /** Undefined if the client means the game to which the protocol belongs. */
  readonly game: string | undefined;
  readonly protocol: number;
  readonly empty: boolean;
  readonly full: boolean;
  /** Undefined for any gametype. */
  readonly gametype: string | undefined;
  readonly ipv4: boolean;
  readonly ipv6: boolean;
}

export type PacketKind = 'heartbeat' | 'infoResponse' | 'getservers' | 'getserversExt';

const KINDS: readonly (readonly [kind: PacketKind, beginning: string])[] = [
  ['heartbeat', 'heartbeat '],
  ['infoResponse', 'infoResponse\n'],
  ['getservers', 'getservers '],
  ['getserversExt', 'getserversExt '],
];
const LONGEST_BEGINNING = 14;

/** A received packet. Its text is parsed only when it is wanted: dropped packets cost least that way. */
export interface Packet {
  readonly kind: PacketKind;
  /** The text behind the beginning, up to the first zero byte. */
  readonly text: string;
}

/** Undefined for bytes that are no packet of this protocol. */
export function readPacket(bytes: Buffer): Packet | undefined {
  if (bytes.length <= HEADER_BYTES || bytes.readUInt32BE(0) !== HEADER) return undefined;
  const first = bytes.toString('latin1', HEADER_BYTES, HEADER_BYTES + LONGEST_BEGINNING);
  const found = KINDS.find(([, beginning]) => first.startsWith(beginning));
  if (found === undefined) return undefined;
  const [kind, { length }] = found;
  const text = bytes.toString('latin1', HEADER_BYTES + length, Math.min(bytes.length, MOST_BYTES_IN));
  const end = text.indexOf('\0');
  return { kind, text: end === -1 ? text : text.slice(0, end) };
}

/** The tag of a heartbeat: its first word. */
export function readTag(text: string): string {
  return /[^\s]{1,63}/.exec(text)?.[0] ?? '';
}

/**
 * Undefined for a request without a protocol number, or without a game where one is needed. A line feed at the end, as
 * qstat sends it, is dropped: dpmaster would read it as a part of the last option, and not know that option.
 */
export function parseGetServers(line: string, isExtended: boolean): GetServers | undefined {
  const text = line.replace(/\n$/, '');
  const number = isExtended ? undefined : readInteger(text);
  const [game, rest] = number === undefined ? readGame(text) : [undefined, text];
  const protocol = number ?? readInteger(rest);
  if (protocol === undefined || game === '') return undefined;
  const options = new Set<string>();
  let gametype: string | undefined;
  for (const option of rest.slice(protocol.length).split(' ')) {
    if (option.startsWith('gametype=')) gametype = cutGametype(option.slice('gametype='.length));
    else if (Object.hasOwn(GAMETYPES, option)) gametype = GAMETYPES[option];
    else options.add(option);
  }
  const anyFamily = !options.has('ipv4') && !options.has('ipv6');
  return {
    isExtended,
    game,
    protocol: protocol.value,
    empty: options.has('empty'),
    full: options.has('full'),
    gametype,
    ipv4: !isExtended || anyFamily || options.has('ipv4'),
    ipv6: isExtended && (anyFamily || options.has('ipv6')),
  };
}

/** The words of Quake III for its own gametypes. */
export const GAMETYPES: Readonly<Record<string, string>> = { ffa: '0', tourney: '1', team: '3', ctf: '4' };

/** Cuts a gametype to the length that dpmaster keeps, of servers and clients alike. */
export function cutGametype(text: string): string {
  return text.slice(0, 31);
}

const MOST_GAME_LETTERS = 63;

/** Reads the name of the game. A name that is longer than dpmaster keeps counts as none. */
function readGame(text: string): readonly [game: string, rest: string] {
  const from = text.replace(/^ +/, '');
  const [game = ''] = from.split(' ', 1);
  return game.length > MOST_GAME_LETTERS ? ['', ''] : [game, from.slice(game.length)];
}

const INTEGER = /^[ \t\n\v\f\r]*([+-]?)(0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)/;

/**
 * A 32-bit number at the beginning of the text, as strtol() reads it: decimal, 0x1f or 017. It must be followed by a
 * space or nothing.
 */
export function readInteger(text: string): { readonly value: number; readonly length: number } | undefined {
  const [all, sign, digits] = INTEGER.exec(text) ?? [];
  if (all === undefined || (text.length > all.length && text[all.length] !== ' ')) return undefined;
  const isOctal = /^0\d/.test(digits!);
  const size = isOctal ? Number.parseInt(digits!, 8) : Number(digits);
  const value = sign === '-' ? 0 - size : size;
  return value === (value | 0) ? { value, length: all.length } : undefined;
}

/** The question to a game server, which must send the challenge back. */
export function getinfoPacket(challenge: string): Buffer {
  return Buffer.from(`\xff\xff\xff\xffgetinfo ${challenge}`, 'latin1');
}

/** An address in the form of lists: `\` or `/`, the address and the port. */
export function addressRecord(groups: readonly number[], port: number): Buffer {
  const record = Buffer.alloc(1 + 2 * groups.length + 2);
  record[0] = groups.length === 2 ? 0x5c : 0x2f;
  [...groups, port].forEach((group, at) => record.writeUInt16BE(group, 1 + 2 * at));
  return record;
}

const END = Buffer.from('\\EOT\0\0\0', 'latin1');

/** The packets of an answer with these addresses (addressRecord); the last packet has the end mark. */
export function listPackets(isExtended: boolean, records: Iterable<Buffer>): readonly Buffer[] {
  const name = isExtended ? 'getserversExtResponse' : 'getserversResponse';
  const head = Buffer.from(`\xff\xff\xff\xff${name}`, 'latin1');
  const packets: Buffer[] = [];
  let parts: Buffer[] = [head];
  let length = head.length;
  const add = (part: Buffer): void => {
    if (length + part.length > MOST_BYTES_OUT) {
      packets.push(Buffer.concat(parts));
      parts = [head];
      length = head.length;
    }
    parts.push(part);
    length += part.length;
  };
  for (const record of records) add(record);
  add(END);
  packets.push(Buffer.concat(parts));
  return packets;
}
