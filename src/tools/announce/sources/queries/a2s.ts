/**
 * A2S_INFO, the query of Source and GoldSource servers and of many others on Steam, over UDP. As
 * https://developer.valvesoftware.com/wiki/Server_queries has it; numbers are little endian, texts end with a zero
 * byte:
 *
 *   query      ff ff ff ff 'T' "Source Engine Query" 00 [challenge: 4]
 *   challenge  ff ff ff ff 'A' challenge: 4         then the query is sent again, with it
 *   reply      ff ff ff ff 'I' protocol: 1, name, map, folder, game, app: 2, players: 1, most players: 1, bots: 1,
 *              type: 1, environment: 1, visibility: 1, VAC: 1, [The Ship: 3], version, [flags: 1, and by the flags
 *              0x80 port: 2, 0x10 Steam id: 8, 0x40 port of SourceTV: 2 and its name, 0x20 keywords, 0x01 game: 8]
 *
 * A long reply is split (a2s-fragments.ts). Players are counted without bots, as in Steam's own browser.
 */

import type { GameState } from '../game-state.ts';
import { peopleAmong } from '../../../../model/game-server.ts';
import { stateOf } from '../state-of.ts';
import { A2sParts } from './a2s-fragments.ts';
import { ByteReader } from './byte-reader.ts';
import { ASK, NOTHING, type Dialogue, type DialogueStep } from './dialogue.ts';

const QUERY = Buffer.from('\u00ff\u00ff\u00ff\u00ffTSource Engine Query\0', 'latin1');

const [WHOLE, SPLIT] = [0xff_ff_ff_ff, 0xff_ff_ff_fe];
const [INFO, CHALLENGE, OLD_INFO] = [0x49, 0x41, 0x6d];
const CHALLENGE_BYTES = 9;

/** A server may ask for another one when its seed changes. One that always does so would be asked for ever. */
const MOST_CHALLENGES = 4;

const THE_SHIP = 2400;

export class A2s implements Dialogue {
  #challenge: Buffer = Buffer.alloc(0);
  #challenges = 0;
  readonly #parts = new A2sParts();

  get question(): readonly Buffer[] {
    return [Buffer.concat([QUERY, this.#challenge])];
  }

  hear(bytes: Buffer): DialogueStep {
    if (bytes.length < 5) return NOTHING;
    if (bytes.readUInt32LE() === SPLIT) {
      const joined = this.#parts.add(bytes);
      if (joined === 'compressed')
        return { is: 'unusable', why: 'compresses its reply, and compressed replies are not read' };
      return joined === undefined ? NOTHING : this.#hearWhole(joined);
    }
    return this.#hearWhole(bytes);
  }

  #hearWhole(bytes: Buffer): DialogueStep {
    if (bytes.length < 5 || bytes.readUInt32LE() !== WHOLE) return NOTHING;
    const kind = bytes.readUInt8(4);
    if (kind === CHALLENGE && bytes.length >= CHALLENGE_BYTES) {
      this.#challenges += 1;
      if (this.#challenges > MOST_CHALLENGES)
        return { is: 'unusable', why: 'answers each query with another challenge' };
      this.#challenge = Buffer.from(bytes.subarray(5, CHALLENGE_BYTES));
      return ASK;
    }
    if (kind === OLD_INFO)
      return { is: 'unusable', why: 'answers in the form of GoldSource before 2008, which is not read' };
    if (kind !== INFO) return NOTHING;
    const state = parseInfo(bytes);
    return state === undefined
      ? { is: 'unusable', why: 'answers A2S_INFO with half a reply' }
      : { is: 'told', state };
  }
}

/** Parses an info. Undefined if it ends too early. What follows the version may be missing. */
function parseInfo(bytes: Buffer): GameState | undefined {
  const reader = new ByteReader(bytes, 6);
  const [name, map] = [reader.text(), reader.text()];
  reader.skipTexts(1);
  const game = reader.text();
  const app = reader.u16le();
  const [players, maxPlayers, bots] = [reader.u8(), reader.u8(), reader.u8()];
  reader.skip(2);
  const password = reader.u8() !== 0;
  reader.skip(1);
  if (app === THE_SHIP) reader.skip(3);
  const version = reader.text();
  if (reader.isShort) return undefined;
  return stateOf({
    name,
    map,
    mode: game,
    version,
    password,
    players: peopleAmong(players, bots),
    maxPlayers,
    tags: readKeywords(reader),
    meta: bots > 0 ? { bots } : undefined,
  });
}

/** Games part them by commas or semicolons. */
function readKeywords(reader: ByteReader): readonly string[] {
  const flags = reader.u8();
  if (flags & 0x80) reader.skip(2);
  if (flags & 0x10) reader.skip(8);
  if (flags & 0x40) {
    reader.skip(2);
    reader.text();
  }
  return flags & 0x20 ? reader.text().split(/[,;]/) : [];
}
