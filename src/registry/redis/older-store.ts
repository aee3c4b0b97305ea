/**
 * Refuses a store that a release before 0.14 has left: this version does not know all that may be in it. Every store
 * with entries has a secret in its settings. 0.14 writes `oldestRelease` beside the secret that it creates; in a store
 * of an older release it does so once no replica of that release has swept for a TTL. This version keeps it:
 * lua/settings.lua.
 */

import type { RedisClient } from './connection/create-client.ts';
import type { RegistryKeys } from './keys.ts';

export class OlderStoreError extends Error {
  constructor() {
    super(
      'the registry is of a release before 0.14: run 0.14 on it first, without older replicas, for twice the --ttl',
    );
  }
}

/** Writes nothing. Rejects with an OlderStoreError, or with the error of Redis if it cannot find out. */
export async function refuseOlderStore(client: RedisClient, { shared }: RegistryKeys): Promise<void> {
  const settings = shared.find((key) => key.endsWith(':settings'))!;
  // Another program has put something in the place of the settings: the scripts mend that.
  if (!['hash', 'none'].includes(await client.type(settings))) return;
  const [oldestRelease, secret] = await client.hmget(settings, 'oldestRelease', 'secret');
  // With neither field the store is new, or another replica is about to write back what was lost.
  if ((oldestRelease || secret) && !isFrom014(oldestRelease ?? '')) throw new OlderStoreError();
}

function isFrom014(release: string): boolean {
  const [major, minor] = release.split('.').map(Number);
  return major! > 0 || minor! >= 14;
}
