/**
 * The body of a broadcast: the fields from the game, completed and overruled by those from a person. Knows no service
 * and no time.
 */

import type { AnnouncerFields } from '../../../clients/typescript/src/announcer.ts';
import type { GameServerSettings } from './config/announce-config.ts';
import { DETAIL_FIELDS, type Json, type SaidDetails } from '../../model/fields/detail-fields.ts';
import type { GameState } from './sources/game-state.ts';

/** The body in the words of the API. */
export interface BroadcastBody extends AnnouncerFields, SaidDetails {
  readonly server_host: string;
  readonly server_name: string;
  readonly server_port: number;
  readonly players: number;
  readonly max_players: number;
  readonly unlisted?: true;
}

/** `missing`: what neither the game nor a person says, as a sentence for a person. */
export type ComposedBody =
  { readonly is: 'whole'; readonly body: BroadcastBody } | { readonly is: 'missing'; readonly why: string };

const META_BYTES = DETAIL_FIELDS.meta.rules.json.mostBytes;

export function bodyOf(settings: GameServerSettings, state: GameState): ComposedBody {
  const { host, port, ip, details, isUnlisted } = settings;
  const { name: told, players, maxPlayers: toldMax, meta: toldMeta, ...toldDetails } = state;
  const name = settings.name ?? told;
  const maxPlayers = settings.maxPlayers ?? toldMax;
  const missing = [
    ...(name === undefined ? ['its name: give --name'] : []),
    ...(players === undefined ? ['how many players there are'] : []),
    ...(maxPlayers === undefined ? ['how many players it takes: give --max-players'] : []),
  ];
  if (name === undefined || players === undefined || maxPlayers === undefined)
    return { is: 'missing', why: `the game server does not tell ${missing.join(', nor ')}` };
  const meta = joinMeta(toldMeta, details.meta);
  return {
    is: 'whole',
    body: {
      server_host: host,
      server_name: name,
      server_port: port,
      server_ip: ip,
      players,
      max_players: maxPlayers,
      ...toldDetails,
      ...details,
      ...(meta !== undefined && { meta }),
      ...(isUnlisted && { unlisted: true }),
    },
  };
}

type Meta = { readonly [key: string]: Json };

/** A person wins key by key. What exceeds the limit of a service is left out: first all keys of the game. */
function joinMeta(told: Meta | undefined, said: Meta | undefined): Meta | undefined {
  if (told === undefined || said === undefined) return said ?? told;
  const joined = { ...told, ...said };
  return Buffer.byteLength(JSON.stringify(joined)) <= META_BYTES ? joined : said;
}
