/** Keeps values in a cache by the memory that they need, which grows after they were made. */

import type { LRUCache } from 'lru-cache';

/**
 * Keeps the value as the latest one. `bytes`: its size now. The cache alone would keep the former size of a value that
 * it already has.
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
