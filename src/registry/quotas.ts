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
