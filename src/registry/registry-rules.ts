/** The rules that an operator sets for all entries of a registry, in any backend. All replicas need the same rules. */

export interface RegistryRules {
  /** Whether a broadcast replaces the entry with the same host, IP and port. */
  readonly uniqueAddress: boolean;
  /** Whether each IP was verified to be its sender's: then a broadcast replaces a claimed entry too. Default: no. */
  readonly verifySource?: boolean;
  /** Defaults to NO_QUOTAS. */
  readonly quotas?: Quotas;
  /** How many bytes the native documents of one client's network may take, each in whole units. Default: no limit. */
  readonly maxDocumentBytesPerAddress?: number;
  /** Whether the list hides entries that have not been reached. Default: no. */
  readonly hidesUnreached?: boolean;
  /** Whether readers get the number of players that was seen in place of the one that is said. Default: no. */
  readonly showsSeenPlayers?: boolean;
  /** Whether a mass expiry is held for a while. Default: yes. */
  readonly holdMassExpiry?: boolean;
  /** How many histories of game servers are kept. Default: 0, for none. */
  readonly serverHistoryMost?: number;
}

/**
 * How many entries there may be. An entry counts while it is listed or can be revived, so that neither a ping nor a
 * revival at the same network ever meets a limit. One that comes to another network counts there in the same step. A
 * registry that restores what was lost refuses nothing: it had its place before.
 */
export interface Quotas {
  /** The most entries of all clients; Infinity for no limit. */
  readonly maxServers: number;
  /** The most entries of the network of one client (networkOf); Infinity for no limit. */
  readonly maxServersPerAddress: number;
  /** Whether a client with this address is free of both limits. Its entries count all the same. */
  readonly isExempt: (address: string) => boolean;
}

export const NO_QUOTAS: Quotas = {
  maxServers: Infinity,
  maxServersPerAddress: Infinity,
  isExempt: () => false,
};
