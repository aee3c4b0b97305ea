/** What only moderators see of an entry, and the fields by which they find entries. */

import { isUnlisted, REACHED, type ListedGameServer } from '../../model/game-server.ts';
import { maskAddress } from '../../model/net/address-mask.ts';
import type { QueryFields } from '../../model/query/fields.ts';
import { LISTED, LISTED_FIELDS } from '../../model/query/listed-fields.ts';
import { createSortables } from '../../model/query/sort.ts';
import type { Ban } from '../../registry/decisions/decisions.ts';
import type { Voice, Voices } from '../../registry/reports/voices.ts';
import type { FoundBy } from '../find/page-query.ts';

/** Why the list does not show an entry. */
export const HIDDEN_BY = ['ban', 'unlisted', 'unreached'] as const;

/** What only moderators see of an entry. */
export interface EntryFacts {
  /** The address of its client and the network around that, as far as they may be shown. */
  readonly client: string | undefined;
  readonly network: string | undefined;
  readonly ban: Ban | undefined;
  /** Undefined for one that is shown. */
  readonly hiddenBy: (typeof HIDDEN_BY)[number] | undefined;
  readonly voices: readonly Voice[];
}

export interface FactsOptions {
  readonly findBan: (row: ListedGameServer) => Ban | undefined;
  readonly hidesUnreached: boolean;
  readonly maskAddress: (address: string) => string | undefined;
  readonly voices: Voices;
}

/** A function for one pass through the list: returns the network of an address, which it works out once; '' of ''. */
export function createNetworkOf(): (address: string) => string {
  const known = new Map([['', '']]);
  return (address) => {
    let network = known.get(address);
    if (network === undefined) known.set(address, (network = maskAddress(address)));
    return network;
  };
}

export function createFacts(options: FactsOptions): (row: ListedGameServer) => EntryFacts {
  const { findBan, hidesUnreached, voices } = options;
  const networkOf = createNetworkOf();
  const hiddenBy = (row: ListedGameServer, ban: Ban | undefined): EntryFacts['hiddenBy'] => {
    if (ban !== undefined) return 'ban';
    if (isUnlisted(row.id)) return 'unlisted';
    return hidesUnreached && row.reachability !== REACHED ? 'unreached' : undefined;
  };
  return (row) => {
    const ban = findBan(row);
    const client = options.maskAddress(row.client);
    return {
      client,
      network: client === row.client ? networkOf(client) : client,
      ban,
      hiddenBy: hiddenBy(row, ban),
      voices: voices.get(row.id) ?? [],
    };
  };
}

/** How many more players the entry says than were seen; undefined if none were looked for. */
export function playersGapOf({ players, seen }: ListedGameServer): number | undefined {
  return seen === undefined ? undefined : players - seen.players;
}

/** The fields by which moderators filter and sort: those of the list, and what only they see. */
export function foundBy(factsOf: (row: ListedGameServer) => EntryFacts): FoundBy {
  const fields: QueryFields<ListedGameServer> = {
    text: {
      ...LISTED_FIELDS.text,
      client: (row) => factsOf(row).client,
      network: (row) => factsOf(row).network,
      reachability: (row) => row.reachability || undefined,
      hidden_by: (row) => factsOf(row).hiddenBy,
      ban: (row) => factsOf(row).ban?.ban,
    },
    texts: { ...LISTED_FIELDS.texts, reasons: (row) => factsOf(row).voices.map(({ reason }) => reason) },
    number: {
      ...LISTED_FIELDS.number,
      players: (row) => row.players,
      players_gap: playersGapOf,
      reports: (row) => factsOf(row).voices.length,
    },
    boolean: {
      ...LISTED_FIELDS.boolean,
      shown: (row) => factsOf(row).hiddenBy === undefined,
      claimed: (row) => row.isClaimed,
    },
  };
  return {
    searched: { ...LISTED, fields },
    sortables: createSortables(fields, (row) => row.registeredVersion),
  };
}
