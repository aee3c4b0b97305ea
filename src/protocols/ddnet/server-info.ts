/**
 * The info of a Teeworlds server, a JSON object: its native document, and its form in other lists. A stranger chose
 * everything in it, down to the types.
 *
 * A client drops the whole list for one text in it that is not UTF-8, half a surrogate pair included (JsonParse() in
 * src/engine/shared/json.cpp of ddnet/ddnet). So the info is checked, and is sent on as rendered anew.
 */

import { isUtf8 } from 'node:buffer';
import { isRecord } from '../../model/json.ts';
import { MOST_DOCUMENT_BYTES } from '../../registry/native-entries.ts';
import { Details } from '../../model/fields/details.ts';
import type { GameServer } from '../../model/game-server.ts';
import { cleanText } from '../clean-text.ts';
import { documentOf, valuesIn, type Values } from '../json-document.ts';
import { linkOf, parseLink, orderOf, type GameAddress } from './address.ts';
import { RegisterError } from './registration.ts';

/** The longest texts, in characters, as in broadcasts. */
const LONGEST = { name: 128, detail: 64 } as const;
const MOST_PLAYERS = 1_000_000;

/** The info in a body as a text that every client can read. Throws a RegisterError. */
export function parseInfo(body: Buffer): string {
  const info = parseJson(body);
  if (!isRecord(info)) throw new RegisterError('register info must be an object');
  const document = documentOf(info);
  if (document === undefined)
    throw new RegisterError('Request body deserialize error: lone surrogate in a string, or too many levels');
  if (Buffer.byteLength(document) > MOST_DOCUMENT_BYTES)
    throw new RegisterError('The request payload is too large', 413);
  return document;
}

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new RegisterError('Request body deserialize error: invalid unicode code point');
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    throw new RegisterError(`Request body deserialize error: ${(error as Error).message}`);
  }
}

/** Whether every client can read this document: it may come from a Redis to which other programs write. */
export function isReadable(document: string): boolean {
  return valuesIn(document, () => true) !== undefined;
}

/** A function that describes the game server for other lists by its links. `serial`: of the info, to be kept. */
export function describerOf(document: string, serial: number): (links: readonly string[]) => GameServer {
  const info = JSON.parse(document) as Values;
  const map = isRecord(info['map']) ? info['map']['name'] : undefined;
  const texts = { map, mode: info['game_type'], version: info['version'] };
  const said = {
    game: 'Teeworlds',
    ...Object.fromEntries(
      Object.entries(texts)
        .map(([detail, value]) => [detail, textOf(value, LONGEST.detail)])
        .filter(([, text]) => text !== ''),
    ),
    ...(typeof info['passworded'] === 'boolean' && { password: info['passworded'] }),
    kept: { serial },
  };
  const name = textOf(info['name'], LONGEST.name);
  const players = Array.isArray(info['clients']) ? info['clients'].length : 0;
  const maxPlayers = countOf(info['max_clients']);
  return (links) => {
    const [first, ...others] = addressesOf(links);
    const { ip, port } = first!;
    const further = new Map(
      others.map((address) => [`${address.ip} ${address.port}`, { ip: address.ip, port: address.port }]),
    );
    further.delete(`${ip} ${port}`);
    return {
      host: ip,
      name: name || linkOf(first!),
      port,
      ip,
      players,
      maxPlayers,
      details: Details.of({ ...said, addresses: [...further.values()] }),
    };
  };
}

/** The addresses of the valid links, in the order of the original. */
export function addressesOf(links: readonly string[]): readonly GameAddress[] {
  return links
    .map(parseLink)
    .filter((address) => address !== undefined)
    .map((address) => ({ address, place: orderOf(address) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ address }) => address);
}

/** The cleaned text; '' if the value is no text. */
function textOf(value: unknown, mostLength: number): string {
  return typeof value === 'string' ? cleanText(value, mostLength) : '';
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.min(Math.max(value as number, 0), MOST_PLAYERS) : 0;
}
