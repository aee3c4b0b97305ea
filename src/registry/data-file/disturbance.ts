/** Finds out what other programs did to a file in use, and keeps what they put in its place. */

import type { Stats } from 'node:fs';
import { link, lstat } from 'node:fs/promises';

/** `deleted`: nothing has the name. `replaced`: something else has it. `changed`: the file has another size. */
export type Disturbance = 'deleted' | 'replaced' | 'changed';

/** Compares the file found at the path with the one that should be there, and its size if `bytes` is known. */
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
 * Gives the file found at this path a second name, which it keeps when another file takes the path. Resolves with the
 * second name, or with undefined for an empty file, which is not kept. Rejects, with a message for people, rather than
 * lose anything.
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
