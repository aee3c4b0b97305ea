/** The lines of the log about keys that have ended: a warning for each, at the start, or when it ends. */

import type { Key } from '../api/http/key-ring.ts';
import { systemClock, type Clock } from '../registry/registry.ts';
import type { Logger } from '../runtime/log/logger.ts';

const LOOK_INTERVAL_MS = 60_000;

/** `keys`: those in force at each moment. Returns what ends it. */
export function logEndedKeys(
  keys: () => readonly Pick<Key, 'name' | 'until'>[],
  logger: Logger,
  clock: Clock = systemClock,
): () => void {
  const logged = new Map<string, number>();
  const look = async (): Promise<void> => {
    for (const { name, until = Infinity } of keys()) {
      if (name === undefined || clock.now() < until || logged.get(name) === until) continue;
      logged.set(name, until);
      logger.warn(
        { key: name, until: new Date(until).toISOString() },
        'a key has ended, and opens nothing more',
      );
    }
  };
  void look();
  return clock.every(LOOK_INTERVAL_MS, look);
}
