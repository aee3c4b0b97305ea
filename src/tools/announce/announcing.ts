/**
 * All game servers that this process keeps listed: begun one after the other, ended together and in time. Knows no
 * process, no file and no port.
 */

import type { Environment } from '../../../clients/typescript/src/environment.ts';
import type { GameServerSettings, ServiceSettings } from './config/announce-config.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { AnnouncedServer } from './announced-server.ts';
import { Counts } from './counts.ts';
import { createServiceLink, type ServiceLink } from './service-link.ts';
import type { Source } from './sources/game-state.ts';
import type { TokenFile } from '../../../clients/typescript/src/token-file.ts';

export interface AnnouncingOptions {
  readonly gameServers: readonly GameServerSettings[];
  readonly openSource: (settings: GameServerSettings) => Source;
  /** Undefined where tokens are not kept. */
  readonly tokenFileOf: (url: string, identity: string) => TokenFile | undefined;
  /** Whether the next start gets the ids again that are removed. */
  readonly keepsIds: boolean;
  /** Whether the beacons of services are measured. */
  readonly measures: boolean;
  /** Resolves with the addresses of a name in canonical form (parseIp); none if it is not known. */
  readonly addressesOf: (name: string) => Promise<readonly string[]>;
  readonly environment: Environment;
  readonly logger: Logger;
}

export interface Sidecar {
  readonly servers: readonly AnnouncedServer[];
  readonly counts: Counts;
  start(): void;
  /**
   * Takes all off their lists, at all services at once, and resolves within `limitMs` with how many entries are left to
   * their TTL.
   */
  close(limitMs: number): Promise<number>;
}

/** The share of the closing time in which what is under way may still be answered: an entry has no id before. */
const PART_FOR_ANSWERS = 0.25;
const PART_FOR_ALL = 0.9;

export function createAnnouncing(options: AnnouncingOptions): Sidecar {
  const { gameServers, openSource, tokenFileOf, keepsIds, measures, addressesOf, environment, logger } =
    options;
  const counts = new Counts();
  const links = new Map<string, ServiceLink>();
  const linkOf = (service: ServiceSettings): ServiceLink => {
    const name = JSON.stringify([service.url, service.key]);
    const known = links.get(name);
    if (known !== undefined) return known;
    const link = createServiceLink(service, { environment, measures, counts, addressesOf });
    links.set(name, link);
    return link;
  };
  const servers = gameServers.map(
    (settings) =>
      new AnnouncedServer({
        settings,
        source: openSource(settings),
        linkOf,
        tokenFileOf,
        keepsIds,
        environment,
        logger,
        counts,
      }),
  );
  const giveUp = (): void => {
    for (const link of links.values()) link.giveUp();
  };
  const within = (ms: number, work: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      const cancel = environment.after(ms, resolve);
      void work.finally(() => {
        cancel();
        resolve();
      });
    });

  return {
    servers,
    counts,
    start() {
      for (const [at, server] of servers.entries())
        server.start((gameServers[at]!.queryIntervalMs * at) / servers.length);
    },
    async close(limitMs) {
      const endAt = environment.now() + PART_FOR_ALL * limitMs;
      for (const server of servers) server.stop();
      for (const { beacons } of links.values()) beacons?.stop();
      const settled = Promise.all(
        servers.flatMap(({ listings }) => listings.map(({ listing }) => listing.settle())),
      );
      await within(PART_FOR_ANSWERS * limitMs, settled);
      giveUp();
      await settled;
      const removals = Promise.all(servers.map((server) => server.remove()));
      await within(Math.min(limitMs, Math.max(0, endAt - environment.now())), removals);
      giveUp();
      return (await removals).reduce((sum, each) => sum + each, 0);
    },
  };
}
