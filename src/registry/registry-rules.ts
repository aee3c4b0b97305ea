/** What an operator decides about all entries of a registry, whatever keeps them. All replicas need the same rules. */

import type { Quotas } from './quotas.ts';

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
