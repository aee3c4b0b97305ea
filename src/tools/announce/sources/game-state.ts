/**
 * The one contract between the sources, which ask running game servers for their state, and the loop that lists them.
 * It knows no protocol, no file and no service.
 */

import type { SaidDetails } from '../../../model/fields/detail-fields.ts';

/**
 * The state of a game server, cleaned and bounded by the rules of a broadcast: a service accepts whatever is here. A
 * field that the game server does not send is absent. No tag is there twice.
 */
export interface GameState extends Omit<SaidDetails, 'addresses' | 'latency'> {
  readonly name?: string;
  /** People, without bots where the game tells them apart. */
  readonly players?: number;
  /** May be smaller than `players`: some games keep reserved slots. */
  readonly maxPlayers?: number;
}

/**
 * The result of one look at the game server. `silent`: nothing came in time; `refused`: the port is closed; `unusable`:
 * something came that cannot be used. `why`: one sentence for a person, printable, without a full stop at its end.
 */
export type Reading =
  | { readonly is: 'told'; readonly state: GameState }
  | { readonly is: 'silent' | 'refused' | 'unusable'; readonly why: string };

export interface Source {
  /**
   * Looks once. It never rejects, and it ends within its time limit, or soon after the signal. One signal may serve
   * many sources. Reads of one source do not overlap.
   */
  read(signal: AbortSignal): Promise<Reading>;
  /** Ends a read that is on its way, with `silent`. Nothing is read after it. */
  close(): void;
}

/** The protocols by which game servers are queried. */
export const QUERY_KINDS = ['a2s', 'quake3', 'minecraft', 'teeworlds'] as const;

export type QueryKind = (typeof QUERY_KINDS)[number];

/** The address of a game server. `host`: an IPv4 or IPv6 literal without brackets, or a name of DNS. */
export interface QueryTarget {
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}
