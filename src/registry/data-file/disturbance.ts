/**
 * What other programs do to a file that is in use: noticing it, and keeping what they put there. Knows nothing of what
 * is in the file.
 */

import type { Stats } from 'node:fs';
import { link, lstat } from 'node:fs/promises';

/** `replaced`: something else has the name. `changed`: written to, or cut off. */
export type Disturbance = 'deleted' | 'replaced' | 'changed';

/** Compares what has the name with the file that should have it, and its size where that is known. */
export async function findDisturbance(
  path: string,
  { dev, ino }: Stats,
  bytes: number | undefined,
): Promise<Disturbance | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 'deleted';
  if (found.ino !== ino || found.dev !== dev) return 'replaced';
  return bytes !== undefined && found.size !== bytes ? 'changed' : undefined;
}

/**
 * Gives what has the name another one as well, which it keeps when the first is taken from it, and resolves with that;
 * with undefined for an empty file. Rejects, with a message for people, rather than lose anything.
 */
export async function keepAside(path: string): Promise<string | undefined> {
  const found = await lstat(path);
  if (found.isFile() && found.size === 0) return undefined;
  const keptAs = `${path}.aside`;
  await link(path, keptAs).catch(({ code }: NodeJS.ErrnoException) => {
    const what = found.isDirectory() ? 'a directory is' : 'another file is';
    const why = code === 'EEXIST' ? ', which is there already: move both away' : ` (${code}): move it away`;
    throw new Error(`${what} in its place that cannot be kept as ${keptAs}${why}`);
  });
  return keptAs;
}
