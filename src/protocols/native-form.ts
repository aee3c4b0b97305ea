/** The list of another protocol, as a mirror joins it from those of its origins (mirrored-lists.ts). */

import type { Endpoint } from '../api/http/route.ts';

/** An entry in the list of a protocol. */
export interface ListedNatively {
  readonly text: string;
  /** Its addresses: of entries that share one the first is listed. */
  readonly addresses: readonly string[];
  readonly players: number;
}

/** The list of one protocol. */
export interface NativeForm {
  readonly path: string;
  /** The member of the list that has the entries. */
  readonly member: string;
  /** Undefined for an entry that clients of the protocol could not read. */
  readonly read: (value: unknown) => ListedNatively | undefined;
  readonly frame: (entries: readonly ListedNatively[]) => readonly [before: string, behind: string];
  /** The endpoint with what else the protocol needs in an answer. */
  readonly finish?: (endpoint: Endpoint) => Endpoint;
}
