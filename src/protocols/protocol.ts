/**
 * The interface of a protocol of other games: the context with which it is opened, and the room that it returns. A
 * protocol has its own folder, with input, output and document. It knows the registry's port and the shared HTTP.
 */

import type { Context, Room } from '../api/http/context.ts';
import type { NativeOutcome, NativeState } from '../registry/native-entries.ts';
import { counted } from '../model/counted.ts';
import type { GameServer, GameServerId } from '../model/game-server.ts';
import type { GamePolicy, GameProperties } from './dpmaster/games.ts';
import type { IpAddress } from '../model/net/ip.ts';
import type { Quotas } from '../registry/registry-rules.ts';
import type { WindowLimit } from './window-limit.ts';

/** The reason why a game server is not listed, for a protocol to express in its own words. */
export type Refusal =
  | { readonly is: 'banned'; readonly reason: string }
  | { readonly is: 'unreachable_address'; readonly why: string }
  | Exclude<NativeOutcome, string>;

/** The outcomes of packets and requests of game servers, as the metrics count them. */
export const OUTCOMES = [
  'listed',
  'refreshed',
  'left',
  'challenged',
  'refused',
  'invalid',
  'limited',
  'unresolved',
] as const;
export type ProtocolOutcome = (typeof OUTCOMES)[number];

/** The options of the protocols of other games. */
/** The path at which the game servers of each protocol over HTTP register, as their settings name it. */
export const REGISTER_PATHS = { ddnet: '/ddnet/15/register', luanti: '/luanti' } as const;

export interface ProtocolOptions {
  /** The names of those that are spoken here. */
  readonly names: readonly string[];
  /** Whether game servers must have addresses that the internet reaches. */
  readonly publicAddressesOnly: boolean;
  /** How many processes of this service share the clients: each has its part of what counts in one process. */
  readonly workers: number;
  readonly dpmaster: DpmasterOptions;
}

/** The UDP port of dpmaster, and how many packets and game servers it takes. */
export interface DpmasterOptions {
  readonly addresses: readonly string[];
  /** Undefined if dpmaster is not spoken. */
  readonly port: number | undefined;
  readonly games: GamePolicy;
  readonly properties: readonly GameProperties[];
  /** The limits of requests for lists and of answers to questions, for each client; undefined for none. */
  readonly lists: WindowLimit | undefined;
  readonly answers: WindowLimit | undefined;
  readonly quotas: Quotas;
}

export interface ProtocolContext extends Context {
  readonly options: ProtocolOptions;
  /** The secret of the registry. Throws a ServiceError `registry_unavailable` until it is known. */
  readonly secret: () => string;
  /**
   * The reason why an entry with this id and description may not be listed for this client, by bans and addresses;
   * undefined if it may. Call it before a stranger costs anything.
   */
  readonly admit: (id: GameServerId, gameServer: GameServer, client: string) => Refusal | undefined;
  /**
   * Lists the game server or renews it, if it may be listed, and counts the outcome. `client`: the address that was
   * proved. Rejects with a ServiceError `registry_unavailable`.
   */
  readonly publish: (
    id: GameServerId,
    announcement: NativeState,
    client: IpAddress,
  ) => Promise<'listed' | 'refreshed' | Refusal>;
  /** Takes a link off the entry, and counts that. */
  readonly withdraw: (id: GameServerId, link: string) => Promise<'withdrawn' | 'unknown'>;
  /** Counts what else happened. */
  readonly count: (outcome: Exclude<ProtocolOutcome, 'listed' | 'refreshed' | 'left'>) => void;
}

/** The UDP port cannot be used. The cause is Node's error. */
export class UdpPortError extends Error {}

/** Opens a protocol. Rejects with a UdpPortError. */
export type OpenProtocol = (context: ProtocolContext) => Promise<Room>;

/** The refusal as one sentence for the person who runs the game server. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal.is) {
    case 'banned':
      return `banned: ${refusal.reason}`;
    case 'unreachable_address':
      return `the address must be reachable from the internet, but ${refusal.why}`;
    case 'too_many_bytes':
      return `the game servers of this address may say ${refusal.limit} bytes in all`;
    case 'quota_exceeded':
      return refusal.of === 'all'
        ? `the list is full: ${counted(refusal.limit, 'game server')}`
        : `this address may list ${counted(refusal.limit, 'game server')}`;
    default:
      return 'another entry has this address, and it is claimed';
  }
}
