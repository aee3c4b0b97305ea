/** The rooms of the service. */

import { openBrowse } from '../browse/open-browse.ts';
import { openDoctor } from '../doctor/open-doctor.ts';
import { openDocs } from '../docs/open-docs.ts';
import { openFeed } from '../feed/open-feed.ts';
import { openFind } from '../find/open-find.ts';
import { Pages } from '../find/pages.ts';
import type { Room } from '../http/context.ts';
import type { RequestKind } from '../http/route.ts';
import { Routes } from '../http/routes.ts';
import { openLists } from '../lists/open-lists.ts';
import { openMetrics } from '../ops/open-ops.ts';
import { openTokens } from '../writes/open-tokens.ts';
import { openWrites } from '../writes/open-writes.ts';
import type { Parts } from './parts.ts';

/** The rooms of the public port, in the order in which they are opened. */
export function openRooms(parts: Parts, moderation: Room): readonly Room[] {
  const { config, metrics, turns, rateLimits, load } = parts;
  const { onRendered, onQuery } = metrics.reads;
  const pages = new Pages(turns, onQuery);
  const tokens = openTokens(parts);
  const rooms: Room[] = [
    openLists({ ...parts, onRendered }),
    openFind({ ...parts, pages, onQuery }),
    openFeed({ ...parts, onStreams: metrics.streams }),
    openBrowse({ ...parts, pages }),
    openWrites({ ...parts, tokens, onProbe: metrics.onProbe }),
    openDoctor({ ...parts, tokens, onDoctor: metrics.onDoctor }),
    openDocs({
      ...parts,
      routes: () => new Routes(rooms.flatMap(({ routes }) => routes)),
      limitedKinds: Object.keys(rateLimits) as RequestKind[],
      shedsLoad: load !== undefined,
    }),
  ];
  if (config.opsPort === undefined) rooms.push(openMetrics(parts), moderation);
  return rooms;
}
