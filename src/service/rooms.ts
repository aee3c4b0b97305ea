/** The rooms of the service, and which of them a mirror has. */

import { openBrowse } from '../page/served/open-browse.ts';
import { openDoctor } from '../api/doctor/open-doctor.ts';
import { openDocs } from '../api/docs/open-docs.ts';
import { openChanges } from '../api/changes/open-changes.ts';
import { openBeacons } from '../api/beacons/open-beacons.ts';
import { openFind } from '../api/find/open-find.ts';
import { Pages } from '../api/find/pages.ts';
import { Stats } from '../api/find/statistics.ts';
import type { Room } from '../api/http/context.ts';
import type { RequestKind } from '../api/http/route.ts';
import { Routes } from '../api/http/routes.ts';
import { openLists } from '../api/lists/open-lists.ts';
import { openMirroredLists } from '../protocols/mirrored-lists.ts';
import { openProtocols, type ProtocolsContext } from '../protocols/open-protocols.ts';
import { openReports } from '../api/reports/open-reports.ts';
import { openReadOnly } from '../api/writes/read-only.ts';
import { openWrites } from '../api/writes/open-writes.ts';
import type { ServiceContext } from './service-context.ts';

/**
 * The rooms of the public port, in the order in which they are opened. `beside`: those that others have opened, which
 * the description of the API has, too.
 */
export function openRooms(context: ServiceContext, beside: readonly Room[]): readonly Room[] {
  const { options, registry, metrics, turns, rateLimits, load, streamsOfAll } = context;
  const { origins } = registry;
  const { onRendered, onQuery } = metrics.reads;
  const pages = new Pages(turns, onQuery, context.cursorMark);
  const stats = new Stats(turns, onQuery);
  const rooms: Room[] = [
    openLists({ ...context, options: options.lists, onRendered }),
    openFind({ ...context, options: options.find, pages, stats }),
    openBeacons({ ...context, options: options.beacons }),
    openChanges({
      ...context,
      options: { ...options.changes, ofAll: streamsOfAll },
      onStreams: metrics.streams,
    }),
    openBrowse({ ...context, options: options.browse, pages, stats }),
    ...(origins === undefined
      ? [
          openWrites({
            ...context,
            options: options.writes,
            onProbe: metrics.onProbe,
            onImpossibleLatency: metrics.onImpossibleLatency,
          }),
          openDoctor({ ...context, options: options.doctor, onDoctor: metrics.onDoctor }),
          openReports({ ...context, options: options.reports, onReport: metrics.onReport }),
        ]
      : [openReadOnly({ registry, origins })]),
    openDocs({
      ...context,
      options: options.docs,
      routes: () => new Routes(rooms.flatMap(({ routes }) => routes)),
      limitedKinds: Object.keys(rateLimits) as RequestKind[],
      shedsLoad: load !== undefined,
    }),
    ...beside,
  ];
  return rooms;
}

/** The rooms of other protocols. Rejects like openProtocols. */
export async function openOthers(
  context: ServiceContext,
  beside: Pick<ProtocolsContext, 'hasUdp' | 'closeLater'>,
): Promise<readonly Room[]> {
  const { options, registry, metrics } = context;
  if (registry.origins !== undefined)
    return [await openMirroredLists({ ...context, ...options.mirror, ...beside })];
  const { onOutcome } = metrics.protocols;
  return openProtocols({ ...context, options: options.protocols, onOutcome, ...beside });
}
