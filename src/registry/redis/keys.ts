/**
 * The names of everything the registry keeps in Redis, built in this one place. All share one hash tag, hence
 * one slot of a Cluster, so that every operation can be one atomic script.
 */

export interface RegistryKeys {
  /** servers, changes, removed (the tombstones), state, addresses, player-log: in the order of lua/lib/keys.lua. */
  readonly shared: readonly string[];
  /** The key of a record is this and the id. */
  readonly recordPrefix: string;
}

/** The keys of the registry with this name; '' is the unnamed one. */
export function createKeys(registryName: string): RegistryKeys {
  const tag = registryName === '' ? '{gsls}' : `{gsls:${registryName}}`;
  return {
    shared: ['servers', 'changes', 'removed', 'state', 'addresses', 'player-log'].map(
      (name) => `${tag}:${name}`,
    ),
    recordPrefix: `${tag}:server:`,
  };
}
