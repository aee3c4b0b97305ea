/** Keeps values in a cache by what they take in memory, which grows after they were made. */

import type { LRUCache } from 'lru-cache';

/**
 * Keeps the value as the latest one. `bytes`: what it takes now. A cache would go on with the size of before for a
 * value that it has already.
 */
export function keep<T extends object>(
  cache: LRUCache<string, T>,
  key: string,
  value: T,
  bytes: number,
): void {
  cache.delete(key);
  cache.set(key, value, { size: Math.ceil(bytes) });
}
