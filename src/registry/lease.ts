/** The port of leases: of all replicas one does a piece of work. */

export interface Lease {
  /**
   * Takes the lease of this name for so long, and resolves with whether it is this replica's: not if another one has
   * it. Throws a ServiceError `registry_unavailable` when that cannot be told.
   */
  take(name: string, forMs: number): Promise<boolean>;
}
