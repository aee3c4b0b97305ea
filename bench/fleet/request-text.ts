/**
 * The bytes of a ping and of a broadcast: prebuilt, every field of a fixed width, so that a request is made by writing
 * some digits into them. Each connection has its own, as it sends one request at a time.
 */

import { ID_LENGTH } from './ids.ts';

/** Players of two digits: a number in JSON has no leading zero. */
export const FEWEST_PLAYERS = 10;
export const MOST_PLAYERS = 63;
/** Numbers of game servers have so many digits. */
const DIGITS = 7;
const ZERO = 0x30;

/** The fields of the game server; its number stands in host, name, port and IP. */
const FIELDS =
  '"server_host":"game-HH.eu.example.com","server_name":"Server number NNNNNNN [EU] ranked","server_port":77PP,' +
  '"server_ip":"1A.1BB.1CC.1DD","players":QQ,"max_players":64}';
const BROADCAST = `{${FIELDS}`;
const PING = `{"server_id":"${'I'.repeat(ID_LENGTH)}",${FIELDS}`;

function requestOf(path: string, body: string, more = ''): string {
  return `POST ${path} HTTP/1.1\r\nHost: fleet\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
}

/** Of all broadcasts of one run; the number of the game server and how many keys it used before follow. */
const KEY = 'Idempotency-Key: RRRRRRRR-KKKKKKK-GG\r\n';

export class RequestText {
  readonly #ping: Buffer;
  readonly #broadcast: Buffer;

  /** `run`: eight characters, another for each run. */
  constructor(run: string) {
    this.#ping = Buffer.from(requestOf('/ping', PING));
    this.#broadcast = Buffer.from(requestOf('/broadcast', BROADCAST, KEY.replace('RRRRRRRR', run)));
  }

  /** `ids`: of all game servers, one after the other. Valid until the next call. */
  ping(n: number, players: number, ids: Buffer): Buffer {
    ids.copy(this.#ping, PING_AT.id, n * ID_LENGTH, (n + 1) * ID_LENGTH);
    writeFields(this.#ping, PING_AT, n, players);
    return this.#ping;
  }

  /** `keysUsed`: a game server that broadcasts anew needs another key. Valid until the next call. */
  broadcast(n: number, players: number, keysUsed: number): Buffer {
    writeDigits(this.#broadcast, BROADCAST_AT.key, DIGITS, n);
    writeDigits(this.#broadcast, BROADCAST_AT.generation, 2, keysUsed);
    writeFields(this.#broadcast, BROADCAST_AT, n, players);
    return this.#broadcast;
  }
}

const PING_AT = placesIn(requestOf('/ping', PING));
const BROADCAST_AT = placesIn(requestOf('/broadcast', BROADCAST, KEY));

type Places = ReturnType<typeof placesIn>;

function placesIn(text: string) {
  return {
    id: text.indexOf('IIII'),
    key: text.indexOf('KKKKKKK'),
    generation: text.indexOf('GG'),
    host: text.indexOf('HH.'),
    name: text.indexOf('NNNNNNN'),
    port: text.indexOf('PP,'),
    ip: text.indexOf('A.1BB'),
    players: text.indexOf('QQ'),
  };
}

function writeFields(bytes: Buffer, at: Places, n: number, players: number): void {
  writeDigits(bytes, at.host, 2, n % 50);
  writeDigits(bytes, at.name, DIGITS, n);
  writeDigits(bytes, at.port, 2, n % 100);
  writeDigits(bytes, at.ip, 1, Math.floor(n / 1_000_000));
  writeDigits(bytes, at.ip + 3, 2, Math.floor(n / 10_000));
  writeDigits(bytes, at.ip + 7, 2, Math.floor(n / 100));
  writeDigits(bytes, at.ip + 11, 2, n);
  writeDigits(bytes, at.players, 2, players);
}

/** The last `width` digits of the value. */
function writeDigits(bytes: Buffer, at: number, width: number, value: number): void {
  let left = value;
  for (let i = at + width - 1; i >= at; i -= 1) {
    bytes[i] = ZERO + (left % 10);
    left = Math.floor(left / 10);
  }
}
