/** `GET /stats`: how many servers match a query, with their most common values of some details. */

import { withOrigins } from './told-origins.ts';
import type { Stats } from './statistics.ts';
import { createBodyAnswers } from '../http/body-answers.ts';
import type { Context } from '../http/context.ts';
import { STALE_MARK } from '../http/current-list.ts';
import type { Endpoint } from '../http/route.ts';

export interface StatsOptions extends Pick<Context, 'registry' | 'currentList' | 'turns' | 'now'> {
  /** The statistics that all rooms share. */
  readonly stats: Stats;
}

export function createStats({ registry, currentList, turns, stats, now }: StatsOptions): Endpoint {
  const answerCurrent = createBodyAnswers(currentList, turns);
  const answerStale = createBodyAnswers(currentList, turns, { mark: STALE_MARK });
  return async (request) => {
    const filters = stats.parse(request.query);
    return currentList.answer(async (snapshot, isStale) => {
      const answerWith = isStale ? answerStale : answerCurrent;
      const body = await stats.answer(filters, snapshot, request);
      const origins = registry.origins?.();
      return answerWith(origins === undefined ? body : withOrigins(body, origins, now()), request);
    });
  };
}
