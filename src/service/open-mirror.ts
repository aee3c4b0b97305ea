/** Opens the registry of a mirror, and tells operators how its origins stand. */

import { setTimeout as delay } from 'node:timers/promises';
import { counted } from '../model/counted.ts';
import { MirrorRegistry, type MirrorEvents } from '../registry/mirror/mirror-registry.ts';
import type { OriginState } from '../registry/mirror/origin.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { readListedServer } from '../api/writes/listed-server.ts';
import type { OpenedRegistry, OpenRegistryOptions } from './opened-registry.ts';
import { originsOf } from './room-options.ts';

/** How often the start looks for the lists of all origins. */
const LIST_CHECK_INTERVAL_MS = 50;

/**
 * Resolves once each origin has told its list or has failed, or the time for a start is over; if it is to wait for a
 * list, not before there is one.
 */
export async function openMirror(options: OpenRegistryOptions): Promise<OpenedRegistry> {
  const { config, logger, deadlines, closeLater } = options;
  const origins = originsOf(config);
  const registry = await MirrorRegistry.open({
    origins,
    keptIn: config.mirrorKeep,
    maxStaleMs: config.maxStale * 1000,
    read: readListedServer,
    events: createMirrorLog(logger, config.mirrorKeep),
  });
  closeLater(() => registry.close());
  logger.info(
    { origins: origins.map(({ name, url }) => `${name} at ${url}`) },
    `the list is that of ${counted(origins.length, 'other registry', 'other registries')}`,
  );
  const until = performance.now() + deadlines.startMs;
  while (registry.origins().some(isUnheard) && performance.now() < until) await delay(LIST_CHECK_INTERVAL_MS);
  while (!registry.hasList && options.waitsForList?.() === true) await delay(LIST_CHECK_INTERVAL_MS);
  return { registry, redis: undefined, whyRefused: () => undefined };
}

/** Whether it is not known yet how the origin is reached. */
function isUnheard({ state, problem }: OriginState): boolean {
  return state === 'away' && problem === undefined;
}

function createMirrorLog(logger: Logger, keptIn: string | undefined): MirrorEvents {
  let isKept = true;
  return {
    onState({ name, url, state, problem, servers }) {
      const about = { origin: name, url, servers, reason: problem };
      if (state === 'live') logger.info(about, 'the list of an origin is current');
      else if (state === 'given_up')
        logger.error(about, 'an origin was away for longer than --max-stale: its game servers left the list');
      else if (state !== 'held')
        logger.warn(about, 'the list of an origin is not current: its game servers stay as they were');
    },
    onHeld: (origin, missing, known) =>
      logger.error(
        { origin, missing, known },
        'an origin has lost most of its list: what is missing stays for 5 minutes, or until it comes back',
      ),
    onHoldOver: (origin, dropped) =>
      logger.warn({ origin, dropped }, 'what an origin had lost has not come back: it left the list'),
    onUnreadable: (origin, count) =>
      logger.warn(
        { origin, count },
        'an origin tells of game servers that no list could have, or of too many: they are left out',
      ),
    onKeptUnreadable: (reason) =>
      logger.warn(
        { path: keptIn, reason },
        'the list of --mirror-keep cannot be read: the mirror begins without it',
      ),
    onKept(error) {
      if (error === undefined && !isKept)
        logger.info({ path: keptIn }, 'the list is kept in the file of --mirror-keep again');
      if (error !== undefined && isKept)
        logger.error(
          { path: keptIn, reason: (error as Error).message },
          'the list cannot be kept in the file of --mirror-keep: a restart would begin without it',
        );
      isKept = error === undefined;
    },
  };
}
