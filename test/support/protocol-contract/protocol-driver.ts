/**
 * What the contract of protocols has to know of one protocol: how to play its game servers, and how to read its native
 * list. A driver knows what goes over the wire; what has to come of it stands in describe-protocol.ts.
 */

import type { Room } from '../../../src/api/http/context.ts';
import type { ProtocolContext } from '../../../src/protocols/protocol.ts';
import type { Clock } from '../../../src/registry/registry.ts';

export type Environment = Readonly<Record<string, string>>;

export interface ProtocolDriver {
  /** As in --protocols, and in the field `protocol` of the lists. */
  readonly protocol: string;
  /** How long an entry lives without a heartbeat. */
  readonly ttlMs: number;
  openRoom(context: ProtocolContext, clock: Clock): Promise<Room>;
  /** The variables of a service that speaks it: asked anew for each service, which needs a UDP port of its own. */
  environment(): Promise<Environment>;
  /** A game server at 127.0.0.1 with a UDP port of its own. It sends nothing before it is told to. */
  open(): Promise<PlayedGameServer>;
  /** The ports of the game servers in the native list. */
  nativePorts(service: ProtocolService): Promise<readonly number[]>;
  /** Sends what no honest game server sends: resolves once each of it is answered, or sure to have been dropped. */
  sendGarbage(service: ProtocolService): Promise<void>;
}

/** A running service, with the variables that it has from the driver. */
export interface ProtocolService {
  readonly url: string;
  readonly environment: Environment;
}

/** What every protocol can say of a game server. */
export interface Said {
  readonly name: string;
  readonly players: number;
  readonly maxPlayers: number;
}

export interface PlayedGameServer {
  /** Of UDP: it is listed with this port. */
  readonly port: number;
  /**
   * One heartbeat, with all that follows from it: the proof of the address, and the heartbeat again where the protocol
   * asks for it. `refused`: the service has said so, or would have asked for the proof by now.
   */
  announce(to: ProtocolService, says: Said): Promise<'taken' | 'refused'>;
  /** As it does when it is stopped in good order. */
  signOff(to: ProtocolService): Promise<void>;
  /** Closes its port, and says nothing. */
  close(): Promise<void>;
}
