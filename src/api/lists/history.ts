/** `GET /history`: how many servers and players the list showed, by the minute or by the hour. */

import { HistoryBodies } from './history-bodies.ts';
import { parseHistoryQuery } from './history-query.ts';
import type { Turns } from '../work/turns.ts';
import type { Backend } from '../../registry/backend.ts';
import { createBodyAnswers } from '../http/body-answers.ts';
import type { CurrentList } from '../http/current-list.ts';
import type { Endpoint } from '../http/route.ts';

export interface HistoryOptions {
  readonly registry: Pick<Backend, 'history'>;
  readonly currentList: Pick<CurrentList, 'caching'>;
  readonly turns: Turns;
}

export function createHistory({ registry, currentList, turns }: HistoryOptions): Endpoint {
  const bodies = new HistoryBodies(turns);
  const answerWith = createBodyAnswers(currentList, turns);
  return async (request) => {
    const query = parseHistoryQuery(request.query);
    const body = await bodies.bodyOf(await registry.history.points(query.step), query, request);
    return answerWith(body, request);
  };
}
