/** `GET /servers/{id}/history`: with how many players an entry was listed, and how much of the time. */

import { isUnlisted } from '../../model/game-server.ts';
import { parseParameters } from '../../model/query/parse-query.ts';
import type { ServerHistories, ServerHistory } from '../../registry/backend.ts';
import { createBodyAnswers } from '../http/body-answers.ts';
import type { Context } from '../http/context.ts';
import type { Endpoint } from '../http/route.ts';
import { Body } from '../work/body.ts';
import { toldEntry, UNKNOWN_SERVER } from './servers.ts';

const NOTHING_YET: ServerHistory = { points: [], uptime: null };

/** An entry that left keeps its history. One that is not shown has none for anybody, as if its id were unknown. */
export function createServerHistory(
  { registry, currentList, turns }: Pick<Context, 'registry' | 'currentList' | 'turns'>,
  histories: ServerHistories,
): Endpoint {
  const answerWith = createBodyAnswers(currentList, turns);
  return async (request) => {
    parseParameters(request.query, {});
    const id = request.parameter!;
    const listing = await currentList.listing();
    const entry = registry.known(id);
    const mayBeTold = !isUnlisted(id) && (entry === undefined || registry.moderation.mayBeTold(entry));
    const history = mayBeTold ? await histories.of(id) : undefined;
    // Where the list may lack an entry, nobody knows whether it has a history.
    const isTold = history ?? toldEntry(registry, entry, listing.staleSince !== undefined);
    if (!mayBeTold || isTold === undefined) throw UNKNOWN_SERVER;
    return answerWith(new Body(Buffer.from(render(id, history ?? NOTHING_YET))), request);
  };
}

function render(id: string, { points, uptime }: ServerHistory): string {
  return JSON.stringify({
    status: 'success',
    id,
    points: points.map(({ time, step, players, peak, ...point }) => ({
      time: new Date(time).toISOString(),
      step,
      players,
      peak_players: peak,
      uptime: point.uptime,
    })),
    uptime,
  });
}
