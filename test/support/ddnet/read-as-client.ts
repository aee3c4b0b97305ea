/**
 * Reads a list as the clients of DDNet do: Parse() in src/engine/client/serverbrowser_http.cpp, FromJsonRaw() in
 * src/engine/shared/serverinfo.cpp, JsonParse() in src/engine/shared/json.cpp and ParseLocation() in
 * src/engine/client/serverbrowser.cpp. Undefined where a client would give up the whole list.
 */

import { isUtf8 } from 'node:buffer';
import { isIPv4, isIPv6 } from 'node:net';

export interface ReadServer {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly location?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** How JSON.parse() keeps a text that is not UTF-8 once it is decoded. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const LOCATIONS = ['an', 'af', 'as', 'oc', 'eu', 'na', 'sa'];

export function readAsClient(bytes: Buffer): readonly ReadServer[] | undefined {
  if (!isUtf8(bytes)) return undefined;
  let list: Fields;
  try {
    list = JSON.parse(bytes.toString()) as Fields;
  } catch {
    return undefined;
  }
  if (textsIn(list).some((text) => LONE_SURROGATE.test(text)) || !Array.isArray(list['servers']))
    return undefined;
  const read: ReadServer[] = [];
  for (const server of list['servers'] as readonly Fields[]) {
    const { addresses, info, location } = server;
    if (!Array.isArray(addresses) || (location !== undefined && typeof location !== 'string'))
      return undefined;
    if (location !== undefined && !LOCATIONS.some((each) => location.startsWith(each))) return undefined;
    if (!isInfo(info)) continue;
    if (!addresses.every((address) => typeof address === 'string')) return undefined;
    const known = addresses.filter(isAddress);
    if (known.length > 0)
      read.push({
        name: info['name'] as string,
        addresses: known,
        ...(location !== undefined && { location }),
      });
  }
  return read;
}

/** How old a client takes the list for, in s: it knows no header Age. */
export function ageForClient(headers: Readonly<Record<string, unknown>>): number {
  const { date, 'last-modified': lastModified } = headers as Readonly<Record<string, string | undefined>>;
  const ageS = (Date.parse(date ?? '') - Date.parse(lastModified ?? '')) / 1000;
  return ageS >= 0 ? ageS : 31_415_927;
}

function isAddress(address: string): boolean {
  const [, host, port] = /^tw-0\.[67]\+udp:\/\/(.+):(\d+)$/.exec(address) ?? [];
  const isIp = isIPv4(host ?? '') || isIPv6(/^\[(.*)\]$/.exec(host ?? '')?.[1] ?? '');
  return isIp && Number(port) > 0;
}

function isInfo(info: unknown): info is Fields {
  if (typeof info !== 'object' || info === null) return false;
  const fields = info as Fields;
  const { clients, map, client_score_kind: scoreKind } = fields;
  const mapName = typeof map === 'object' && map !== null ? (map as Fields)['name'] : undefined;
  if (![fields['game_type'], fields['name'], mapName, fields['version']].every(isLine)) return false;
  const [maxClients, maxPlayers] = [fields['max_clients'], fields['max_players']];
  if (!Number.isInteger(maxClients) || !Number.isInteger(maxPlayers)) return false;
  if (typeof fields['passworded'] !== 'boolean' || !Array.isArray(clients)) return false;
  if (scoreKind !== undefined && typeof scoreKind !== 'string') return false;
  if (!(clients as readonly unknown[]).every(isClient)) return false;
  const players = (clients as readonly Fields[]).filter((client) => client['is_player']).length;
  return (
    (maxClients as number) >= Math.max(clients.length, maxPlayers as number) &&
    (maxPlayers as number) >= players
  );
}

function isClient(client: unknown): boolean {
  if (typeof client !== 'object' || client === null) return false;
  const { name, clan, country, score, is_player: isPlayer } = client as Fields;
  return (
    isLine(name) &&
    isLine(clan) &&
    Number.isInteger(country) &&
    Number.isInteger(score) &&
    typeof isPlayer === 'boolean'
  );
}

function isLine(text: unknown): boolean {
  // eslint-disable-next-line no-control-regex
  return typeof text === 'string' && !/[\u0001-\u001f]/.test(text.split('\0')[0]!);
}

/** All texts in a value, with the names of members. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}
