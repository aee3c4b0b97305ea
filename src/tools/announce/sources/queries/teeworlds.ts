/**
 * The queries of Teeworlds 0.6, DDNet and Teeworlds 0.7, over UDP, asked at once. As src/engine/server/server.cpp and
 * src/engine/shared/network.cpp of ddnet/ddnet, and network_token.cpp of teeworlds/teeworlds, have it. Texts end with a
 * zero byte; a number of 0.6 is a decimal text; a VarInt of 0.7 is explained at packVariableInt().
 *
 *   0.6 query   "xe" extra token: 2, 00 00, ff ff ff ff "gie3" token: 1      "xe" asks DDNet for the extended reply
 *   0.6 reply   ff × 6, ff ff ff ff "inf3" token, version, name, map, gametype, flags, players, most players, clients,
 *               most clients, …                                               its token is the one byte
 *   DDNet reply ff × 6, ff ff ff ff "iext" token, version, name, map, CRC, size, gametype, flags, and so on
 *   0.7 token   04 00 00, ff ff ff ff, 05, our token: 4, 00 × 508         answered by 04 00 00, our token, 05, theirs
 *   0.7 query   21, their token: 4, our token: 4, ff ff ff ff "gie3" VarInt
 *   0.7 reply   21, our token: 4, their token: 4, ff ff ff ff "inf3" VarInt, version, name, host name, map, gametype,
 *               and as VarInts: flags, skill, players, most players, clients, most clients, …
 *
 * Clients are all who are there, spectators included; they are what people see as players. The list of them, which
 * DDNet sends in further packets, is not read. DDNet answers both ways: its reply of 0.6 is the one that counts.
 */

import type { GameState } from '../game-state.ts';
import { stateOf } from '../state-of.ts';
import { ByteReader } from './byte-reader.ts';
import { ASK, NOTHING, type Dialogue, type RandomBytes, type DialogueStep } from './dialogue.ts';

const ANY = Buffer.alloc(4, 0xff);
const [GETINFO, INFO, EXTENDED] = ['gie3', 'inf3', 'iext'].map((each) =>
  Buffer.concat([ANY, Buffer.from(each)]),
) as [Buffer, Buffer, Buffer];
const TOKEN_HEAD = Buffer.from([0x04, 0x00, 0x00]);
const TOKEN_MESSAGE = 5;
/** A request for a token must not be smaller: no answer is larger. */
const TOKEN_REQUEST_BYTES = 512;
const [HEAD_0_6_BYTES, HEAD_0_7_BYTES, CONNLESS_0_7] = [6, 9, 0x21];
const PASSWORD = 1;
/** The beginning of DDNet's version for clients of 0.7. */
const OF_DDNET = '0.7↔';

export class Teeworlds implements Dialogue {
  /** The token of 0.6, three bytes: two extra ones, and the one that 0.6 itself knows. */
  readonly #token: Buffer;
  readonly #ourToken: Buffer;
  #theirToken: Buffer | undefined;

  constructor(random: RandomBytes) {
    this.#token = random(3);
    this.#ourToken = Buffer.concat([Buffer.from([0]), random(3)]);
  }

  get question(): readonly Buffer[] {
    const [extra, basic] = [this.#token.subarray(0, 2), this.#token.subarray(2)];
    const first = Buffer.concat([Buffer.from('xe'), extra, Buffer.alloc(2), GETINFO, basic]);
    const second =
      this.#theirToken === undefined
        ? [
            TOKEN_HEAD,
            ANY,
            Buffer.from([TOKEN_MESSAGE]),
            this.#ourToken,
            Buffer.alloc(TOKEN_REQUEST_BYTES - 4),
          ]
        : [
            Buffer.from([CONNLESS_0_7]),
            this.#theirToken,
            this.#ourToken,
            GETINFO,
            packVariableInt(this.#browseToken),
          ];
    return [first, Buffer.concat(second)];
  }

  hear(bytes: Buffer): DialogueStep {
    if (bytes.length >= 12 && begins(bytes, Buffer.concat([TOKEN_HEAD, this.#ourToken]), 0)) {
      if (bytes[7] !== TOKEN_MESSAGE || this.#theirToken !== undefined) return NOTHING;
      this.#theirToken = Buffer.from(bytes.subarray(8, 12));
      return ASK;
    }
    if (bytes[0] === CONNLESS_0_7 && begins(bytes, this.#ourToken, 1)) return this.#hear0_7(bytes);
    const isExtended = begins(bytes, EXTENDED, HEAD_0_6_BYTES);
    if (!isExtended && !begins(bytes, INFO, HEAD_0_6_BYTES)) return NOTHING;
    const reader = new ByteReader(bytes, HEAD_0_6_BYTES + INFO.length);
    if (reader.integerText() !== (isExtended ? this.#token.readUIntBE(0, 3) : this.#token[2])) return NOTHING;
    return told(parse0_6(reader, isExtended));
  }

  #hear0_7(bytes: Buffer): DialogueStep {
    if (!begins(bytes, INFO, HEAD_0_7_BYTES)) return NOTHING;
    const reader = new ByteReader(bytes, HEAD_0_7_BYTES + INFO.length);
    if (readVariableInt(reader) !== this.#browseToken) return NOTHING;
    const step = told(parse0_7(reader));
    return step.is === 'told' && step.state.version?.startsWith(OF_DDNET) ? { ...step, is: 'enough' } : step;
  }

  get #browseToken(): number {
    return this.#token.readUIntBE(0, 3);
  }
}

function told(state: GameState | undefined): DialogueStep {
  return state === undefined
    ? { is: 'unusable', why: 'answers the query of Teeworlds with half a reply' }
    : { is: 'told', state };
}

function parse0_6(reader: ByteReader, isExtended: boolean): GameState | undefined {
  const [version, name, map] = [reader.text(), reader.text(), reader.text()];
  if (isExtended) reader.skipTexts(2);
  const [mode, flags] = [reader.text(), reader.integerText()];
  reader.skipTexts(2);
  const [players, maxPlayers] = [reader.integerText(), reader.integerText()];
  if (reader.isShort) return undefined;
  return stateOf({ name, map, mode, version, players, maxPlayers, password: (flags & PASSWORD) !== 0 });
}

function parse0_7(reader: ByteReader): GameState | undefined {
  const [version, name] = [reader.text(), reader.text()];
  reader.skipTexts(1);
  const [map, mode] = [reader.text(), reader.text()];
  const [flags, , , , players, maxPlayers] = Array.from({ length: 6 }, () => readVariableInt(reader));
  if (reader.isShort) return undefined;
  return stateOf({ name, map, mode, version, players, maxPlayers, password: (flags! & PASSWORD) !== 0 });
}

function begins(bytes: Buffer, beginning: Buffer, at: number): boolean {
  return bytes.subarray(at, at + beginning.length).equals(beginning);
}

/**
 * Numbers in packets of Teeworlds 0.7, as src/engine/shared/compression.cpp of teeworlds/teeworlds has them: a
 * first byte of a mark that more follow, the sign and 6 bits, then bytes of the mark and 7 bits, the lowest first; 32
 * bits in all. A negative number is the complement of what is written.
 */
const MOST_BYTES_OF_INT = 5;

/** `value`: not negative. */
function packVariableInt(value: number): Buffer {
  const bytes = [value & 0x3f];
  for (let rest = value >>> 6; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** Reads a number of 32 bits with a sign. */
function readVariableInt(reader: ByteReader): number {
  let byte = reader.u8();
  const isNegative = (byte & 0x40) !== 0;
  let value = byte & 0x3f;
  for (let at = 1, shift = 6; (byte & 0x80) !== 0 && at < MOST_BYTES_OF_INT; at += 1, shift += 7) {
    byte = reader.u8();
    value |= (byte & 0x7f) << shift;
  }
  return isNegative ? ~value : value;
}
