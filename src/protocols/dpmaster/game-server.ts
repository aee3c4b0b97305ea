/**
 * A game server as its infoResponse describes it: the fields that dpmaster requires, those that the list shows, and
 * those that are kept. It follows HandleInfoResponse() in src/messages.c.
 */

import { addressOf } from '../../model/address-of.ts';
import type { GameServer, ListedGameServer } from '../../model/game-server.ts';
import { Details } from '../../model/fields/details.ts';
import type { IpAddress } from '../../model/net/ip.ts';
import { cleanText, withoutColours } from '../clean-text.ts';
import type { Games, HeartbeatTag } from './games.ts';
import type { Infostring } from './infostring.ts';
import { cutGametype, GAMETYPES, readInteger } from './packets.ts';

export const PROTOCOL = 'dpmaster';

/** The sender of a packet. */
export interface Peer {
  readonly address: IpAddress;
  /** 1 to 65535. */
  readonly port: number;
}

/** The fields by which clients choose game servers, besides players and address. Latin-1 texts, as they came. */
export interface KeptInfo {
  readonly game: string;
  readonly protocol: number;
  readonly gametype: string;
  /** Whether its heartbeat implied the game, so that clients may want the game without naming it. */
  readonly isAnonymous: boolean;
}

/** The info that a row keeps; undefined for a row that another protocol has listed. */
export function keptOf({ details }: Pick<ListedGameServer, 'details'>): KeptInfo | undefined {
  if (!details.areOfProtocol) return undefined;
  const { protocol, kept } = details.fields;
  return protocol === PROTOCOL ? (kept as unknown as KeptInfo) : undefined;
}

/** The address as it is linked: the same for one game server at any time. */
export function dpmasterLinkOf({ address, port }: Peer): string {
  return addressOf(address, port);
}

/** The description of a game server that has sent none yet. */
export function strangerAt({ address: ip, port }: Peer): GameServer {
  return { host: ip, ip, port, name: '', players: 0, maxPlayers: 0 };
}

const MOST_NAME = 128;
const MOST_TEXT = 64;
const MOST_PLAYERS = 1_000_000;

/** Undefined for a game server that dpmaster would not list, or whose game is not accepted. */
export function describeGameServer(
  info: Infostring,
  peer: Peer,
  tag: HeartbeatTag,
  games: Pick<Games, 'takes'>,
): GameServer | undefined {
  const game = info.get('gamename') ?? tag.game ?? '';
  const protocol = readInteger(info.get('protocol') ?? '');
  const gametype = info.get('gametype') ?? '0';
  const [maxPlayers, players] = [
    leadingInteger(info.get('sv_maxclients')),
    leadingInteger(info.get('clients')),
  ];
  const isComplete =
    isName(game) &&
    (tag.game === undefined || game === tag.game) &&
    protocol !== undefined &&
    protocol.length === info.get('protocol')!.length &&
    !gametype.includes(' ') &&
    maxPlayers > 0 &&
    info.get('clients') !== undefined;
  if (!isComplete || !games.takes(game)) return undefined;
  return {
    host: peer.address,
    ip: peer.address,
    port: peer.port,
    name: cleanText(withoutColours(info.read('hostname')), MOST_NAME) || dpmasterLinkOf(peer),
    players: Math.min(Math.max(players, 0), MOST_PLAYERS),
    maxPlayers: Math.min(maxPlayers, MOST_PLAYERS),
    details: detailsOf(info, {
      game,
      protocol: protocol.value,
      gametype: cutGametype(gametype),
      isAnonymous: tag.game !== undefined,
    }),
  };
}

function detailsOf(info: Infostring, kept: KeptInfo): Details {
  const game = text(kept.game);
  const map = text(info.read('mapname'));
  const mode = text(modeOf(info.read('gametype')));
  const password = info.get('g_needpass') ?? info.get('needpass');
  return Details.of({
    protocol: PROTOCOL,
    ...(game !== undefined && { game }),
    ...(map !== undefined && { map }),
    ...(mode !== undefined && { mode }),
    ...(password !== undefined && { password: password !== '0' && password !== '' }),
    meta: { protocol: kept.protocol },
    kept: { ...kept },
  });
}

function text(value: string): string | undefined {
  return cleanText(withoutColours(value), MOST_TEXT) || undefined;
}

/** The word of Quake III for a gametype, if it has one for that number. */
function modeOf(gametype: string): string {
  return Object.keys(GAMETYPES).find((word) => GAMETYPES[word] === gametype) ?? gametype;
}

/** Whether dpmaster would keep the whole name: clients could not ask for a longer one. */
function isName(game: string): boolean {
  return game !== '' && game.length <= 63 && !game.includes(' ');
}

/** Reads a number as atoi() does: 0 for a text that is no number. */
function leadingInteger(digits = ''): number {
  const value = Number.parseInt(digits, 10);
  return Number.isNaN(value) ? 0 : value;
}
