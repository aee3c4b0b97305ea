/**
 * The packets of dpmaster's protocol: doc/techinfo.txt, and src/messages.c where the program differs from it. What
 * comes in is read as it reads it, byte by byte; anything else is no packet. Knows nothing of who sent one, and why.
 */

/** A packet is read up to here, as dpmaster does. */
const MOST_BYTES_IN = 2048;
/** No packet that goes out is longer. */
export const MOST_BYTES_OUT = 1400;

const HEADER = 0xff_ff_ff_ff;
const HEADER_BYTES = 4;

/** What a client wants to have listed. */
export interface GetServers {
  /** `getserversExt`, whose answers have IPv6 addresses too. */
  readonly isExtended: boolean;
  /** Undefined where the client means the game that is known by the protocol. */
  readonly game: string | undefined;
  readonly protocol: number;
  readonly empty: boolean;
  readonly full: boolean;
  /** Undefined for any. */
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

/** Of one that comes in. More of it is read once it is wanted: that costs least for what is dropped anyway. */
export interface Packet {
  readonly kind: PacketKind;
  /** What follows, up to the first zero byte. */
  readonly text: string;
}

/** Undefined for what is no packet of this protocol. */
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
 * Undefined for a request without a protocol number or, where it is due, without a game. The line feed with which qstat
 * ends it is no part of the last option, which dpmaster would not know then.
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

/** dpmaster keeps so much of a gametype, of servers as of clients. */
export function cutGametype(text: string): string {
  return text.slice(0, 31);
}

const MOST_GAME_LETTERS = 63;

/** A name that is longer than dpmaster keeps is none. */
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

/** What the address that it is sent to has to send back. */
export function getinfoPacket(challenge: string): Buffer {
  return Buffer.from(`\xff\xff\xff\xffgetinfo ${challenge}`, 'latin1');
}

/** An address as lists have it: `\` or `/`, the address and the port. */
export function addressRecord(groups: readonly number[], port: number): Buffer {
  const record = Buffer.alloc(1 + 2 * groups.length + 2);
  record[0] = groups.length === 2 ? 0x5c : 0x2f;
  [...groups, port].forEach((group, at) => record.writeUInt16BE(group, 1 + 2 * at));
  return record;
}

const END = Buffer.from('\\EOT\0\0\0', 'latin1');

/** The packets of an answer with these addresses (addressRecord), the last of which has the end mark. */
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
