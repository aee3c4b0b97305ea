/** Whether the lists of all replicas hold exactly the game servers that live. Reads lists of any length as bytes. */

import type { Load } from './load.ts';
import type { Replica } from './site.ts';
import { ID_LENGTH, IdIndex } from './ids.ts';

export interface ListCheck {
  readonly replica: string;
  readonly listed: number;
  /** Living game servers that are not in the list. */
  readonly missing: number;
  /** Entries of no living game server, and entries that are listed twice. */
  readonly surplus: number;
}

const BEFORE_ID = '"id":"';

export async function checkLists(replicas: readonly Replica[], load: Load): Promise<ListCheck[]> {
  const ids = await load.livingIds();
  const isKnown = (n: number): boolean => ids[n * ID_LENGTH] !== 0;
  const index = new IdIndex(ids, isKnown);
  let living = 0;
  for (let n = 0; n < ids.length / ID_LENGTH; n += 1) if (isKnown(n)) living += 1;
  const checks: ListCheck[] = [];
  // One after the other: each list may take hundreds of MB.
  for (const { name, url } of replicas) {
    const response = await fetch(url);
    const list = Buffer.from(await response.arrayBuffer());
    const seen = new Uint8Array(ids.length / ID_LENGTH);
    let listed = 0;
    let found = 0;
    for (let at = list.indexOf(BEFORE_ID); at !== -1; at = list.indexOf(BEFORE_ID, at + ID_LENGTH)) {
      listed += 1;
      const n = index.find(list, at + BEFORE_ID.length);
      if (n === -1 || seen[n] === 1) continue;
      seen[n] = 1;
      found += 1;
    }
    checks.push({ replica: name, listed, missing: living - found, surplus: listed - found });
  }
  return checks;
}
