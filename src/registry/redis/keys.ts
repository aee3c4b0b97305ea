/**
 * Builds the names of all keys that the registry has in Redis. All share one hash tag, hence one slot of a Cluster, so
 * that every operation can be one atomic script.
 */

export interface RegistryKeys {
  /** The shared keys in the order of lua/lib/keys.lua; that of the tombstones is called `removed`. */
  readonly shared: readonly string[];
  /** The key of a lease is this and the name of the lease. */
  readonly leasePrefix: string;
  /** The key of a history is this and its step, `minute` or `hour`, or `servers` for those of all game servers. */
  readonly historyPrefix: string;
  /** The reports of readers, by the ids of entries. */
  readonly reports: string;
  /** The key of a record is this and the id. */
  readonly recordPrefix: string;
  /**
   * The key of the rate limit of a client is this, the kind of request, a colon and the client. It expires by itself.
   */
  readonly ratePrefix: string;
}

const SHARED = [
  'servers',
  'changes',
  'removed',
  'state',
  'addresses',
  'player-log',
  'clients',
  'expired',
  'settings',
  'lifetimes',
  'documents',
] as const;

/** The number of the first record key in the KEYS of a script, which follows the shared keys. */
export const FIRST_RECORD = SHARED.length + 1;

/** Builds the keys of the registry with this name; '' is the unnamed one. */
export function createKeys(registryName: string): RegistryKeys {
  const tag = registryName === '' ? '{gsls}' : `{gsls:${registryName}}`;
  return {
    shared: SHARED.map((name) => `${tag}:${name}`),
    leasePrefix: `${tag}:turn:`,
    historyPrefix: `${tag}:history:`,
    reports: `${tag}:reports`,
    recordPrefix: `${tag}:server:`,
    ratePrefix: `${tag}:rate:`,
  };
}
