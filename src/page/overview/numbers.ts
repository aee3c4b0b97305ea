/** The numbers of the whole list, whoever has counted them. */

import type { Answers } from '../connection/get-json.ts';
import type { FacetValue, Totals } from '../connection/messages.ts';
import type { ServiceFacetName } from '../filters/use-facets.ts';

export interface Numbers {
  readonly totals: Totals;
  /** The values of each facet with the most servers, these first. */
  readonly values: (facet: ServiceFacetName) => readonly FacetValue[];
}

/** The numbers as the service counts them. `most`: how many values of each facet. */
export function numbersOf(stats: Answers['Stats'], most: number): Numbers {
  const { servers, players, max_players: places, empty, full } = stats;
  return {
    totals: { servers, players, places, empty, full },
    values: (facet) => stats[`${facet}s`].slice(0, most),
  };
}

/** The servers and the players that have none of the values. */
export function othersOf(
  { servers, players }: Totals,
  values: readonly FacetValue[],
): Omit<FacetValue, 'value'> {
  return values.reduce(
    (left, each) => ({ servers: left.servers - each.servers, players: left.players - each.players }),
    { servers, players },
  );
}
