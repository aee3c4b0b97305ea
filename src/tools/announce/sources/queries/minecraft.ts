/**
 * The Server List Ping of Minecraft, Java Edition since 1.7, over TCP. As
 * https://minecraft.wiki/w/Java_Edition_protocol/Server_List_Ping has it; a VarInt has 7 bits a byte, the lowest first:
 *
 *   handshake  length: VarInt, 00, protocol: VarInt (-1: just a ping), host: text, port: 2, 01 (status)
 *   request    01 00
 *   reply      length: VarInt, 00, JSON: text     a text is its length in bytes, a VarInt, and UTF-8
 *
 * The JSON says `version.name`, `players.online`, `players.max` and `description`, a chat component.
 */

import { isRecord, parseJson } from '../../../../model/json.ts';
import type { GameState, QueryTarget } from '../game-state.ts';
import { stateOf } from '../state-of.ts';
import { NOTHING, type Dialogue, type DialogueStep } from './dialogue.ts';

/** A text has 32,767 UTF-16 units at most, so three times as many bytes; and the head. */
const MOST_BYTES = 3 * 32_767 + 16;

const UNUSABLE = 'answers, but not with the status of Minecraft: is it the port that players connect to?';

export class Minecraft implements Dialogue {
  readonly question: readonly Buffer[];

  constructor({ host, port }: QueryTarget) {
    const hostBytes = Buffer.from(host);
    const handshake = Buffer.concat([
      varInt(0),
      varInt(-1),
      varInt(hostBytes.length),
      hostBytes,
      Buffer.from([port >> 8, port & 0xff]),
      varInt(1),
    ]);
    this.question = [Buffer.concat([varInt(handshake.length), handshake, Buffer.from([1, 0])])];
  }

  /** Reads the stream, from its beginning to what has come last. */
  hear(bytes: Buffer): DialogueStep {
    const head = readHead(bytes);
    if (head === 'short') return NOTHING;
    if (head === 'wrong') return { is: 'unusable', why: UNUSABLE };
    const { start, end } = head;
    if (bytes.length < end) return NOTHING;
    const state = parseStatus(bytes.toString('utf8', start, end));
    return state === undefined ? { is: 'unusable', why: UNUSABLE } : { is: 'told', state };
  }
}

/** Finds the JSON in the bytes. */
function readHead(bytes: Buffer): { readonly start: number; readonly end: number } | 'short' | 'wrong' {
  const length = readVarInt(bytes, 0);
  if (typeof length === 'string') return length;
  const kind = readVarInt(bytes, length.next);
  if (typeof kind === 'string') return kind;
  const text = readVarInt(bytes, kind.next);
  if (typeof text === 'string') return text;
  const [start, end] = [text.next, text.next + text.value];
  const isWrong = kind.value !== 0 || end > length.next + length.value || end > MOST_BYTES;
  return isWrong ? 'wrong' : { start, end };
}

function readVarInt(
  bytes: Buffer,
  from: number,
): { readonly value: number; readonly next: number } | 'short' | 'wrong' {
  let value = 0;
  // Three bytes hold more than any length that is read.
  for (let at = 0; at < 3; at += 1) {
    const byte = bytes[from + at];
    if (byte === undefined) return 'short';
    value += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { value, next: from + at + 1 };
  }
  return 'wrong';
}

/** Renders a number of 32 bits as a VarInt. */
function varInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}

/** Parses a status. Undefined if it is none. */
function parseStatus(json: string): GameState | undefined {
  const status = parseJson(json);
  if (!isRecord(status)) return undefined;
  const players = isRecord(status['players']) ? status['players'] : {};
  const version = isRecord(status['version']) ? status['version']['name'] : undefined;
  return stateOf({
    name: chatText(status['description']),
    version: typeof version === 'string' ? chatText(version) : undefined,
    players: numberOf(players['online']),
    maxPlayers: numberOf(players['max']),
  });
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const MOST_LEVELS = 16;
/** The most letters that are read: far more than are shown. */
const MOST_LETTERS = 2048;

/** `§a` and the like: a colour or a style. `§x` is followed by six more, one a digit. */
const CODES = /§./gsu;

/**
 * A chat component as plain text: https://minecraft.wiki/w/Text_component_format. It was written by a stranger, down to
 * its types, and may be as deep and long as its packet allows. On one line, without codes.
 */
export function chatText(component: unknown): string {
  const parts: string[] = [];
  collect(component, MOST_LEVELS, { left: MOST_LETTERS }, parts);
  return parts.join('').replaceAll(CODES, '').replaceAll(/\s+/gu, ' ').trim();
}

function collect(component: unknown, levels: number, room: { left: number }, parts: string[]): void {
  if (room.left <= 0 || levels === 0) return;
  if (typeof component === 'string') {
    const text = component.slice(0, room.left);
    room.left -= text.length;
    parts.push(text);
  } else if (Array.isArray(component)) {
    for (const each of component) {
      // Empty parts cost as well.
      room.left -= 1;
      if (room.left <= 0) return;
      collect(each, levels - 1, room, parts);
    }
  } else if (typeof component === 'object' && component !== null) {
    const { text, translate, fallback, extra } = component as Readonly<Record<string, unknown>>;
    const own = [text, fallback, translate].find((each) => typeof each === 'string');
    if (own !== undefined) collect(own, levels - 1, room, parts);
    if (Array.isArray(extra)) collect(extra, levels - 1, room, parts);
  }
}
