/** `GET /stats`: how many servers match a query, with their most common regions, modes, maps and versions. */

import type { OnQuery } from './query-matches.ts';
import { Stats } from './statistics.ts';
import { createBodyAnswers } from '../http/body-answers.ts';
import type { Context } from '../http/context.ts';
import { STALE_MARK } from '../http/current-list.ts';
import type { Endpoint } from '../http/route.ts';

export interface StatsOptions extends Pick<Context, 'currentList' | 'turns'> {
  readonly onQuery?: OnQuery | undefined;
}

export function createStats({ currentList, turns, onQuery }: StatsOptions): Endpoint {
  const stats = new Stats(turns, onQuery);
  const answerCurrent = createBodyAnswers(currentList, turns);
  const answerStale = createBodyAnswers(currentList, turns, { mark: STALE_MARK });
  return async (request) => {
    const filters = stats.parse(request.query);
    return currentList.answer(async (snapshot, isStale) => {
      const answerWith = isStale ? answerStale : answerCurrent;
      return answerWith(await stats.answer(filters, snapshot, request), request);
    });
  };
}
