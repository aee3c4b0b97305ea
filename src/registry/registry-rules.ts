/** What an operator decides about all entries of a registry, whatever keeps them. All replicas need the same rules. */

export interface RegistryRules {
  /** Whether a broadcast replaces the entry with the same host, IP and port. */
  readonly uniqueAddress: boolean;
  /** Whether an IP is known to be that of its sender: then a broadcast replaces a claimed entry too. Default: no. */
  readonly verifySource?: boolean;
  /** Default: none. */
  readonly quotas?: Quotas;
  /** Whether entries that have not been reached are not shown. Default: no. */
  readonly hidesUnreached?: boolean;
  /** Whether a mass expiry is held for a while. Default: yes. */
  readonly holdMassExpiry?: boolean;
}

/**
 * How many entries there may be, in all and of one client's network. An entry counts while it is listed or can be
 * revived: so neither a ping nor a revival ever meets a limit.
 */
export interface Quotas {
  /** Of all clients; Infinity for no limit. */
  readonly maxServers: number;
  /** Of the network of one client (networkOf); Infinity for no limit. */
  readonly maxServersPerAddress: number;
  /** Whether neither limit holds for a client with this address. Its entries count all the same. */
  readonly isExempt: (address: string) => boolean;
}

export const NO_QUOTAS: Quotas = {
  maxServers: Infinity,
  maxServersPerAddress: Infinity,
  isExempt: () => false,
};
