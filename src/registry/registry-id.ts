/** How a registry is told from all others, in the header `Server-Registry` of `GET /changes`. */

import type { Snapshot } from './snapshot/snapshot.ts';

/** The end of the id of a mirror, which no other mirror may follow: in a circle an entry would never leave. */
export const MIRROR_MARK = ';mirror';

/** The random name that the registry got when it began, the same on all of its replicas. */
export function registryIdOf({ epoch }: Pick<Snapshot, 'epoch'>, isMirror: boolean): string {
  return isMirror ? epoch + MIRROR_MARK : epoch;
}
