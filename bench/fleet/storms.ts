/** What befalls a fleet: each storm is played on a fleet that is well, and ends when it is well again. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet, SettledPhase } from './fleet.ts';

type Storm = (fleet: Fleet) => Promise<SettledPhase>;

const RUSH_MS = 10_000;
const MOST_NEW = 10_000;
const NEW_WITHIN_MS = 2000;
const SHARE_OF_SILENT = 0.3;
const LONGEST_HOLD_MS = 300_000;

/** How many game servers a storm adds, so that there is room for them. */
export function mostNew(servers: number): number {
  return Math.min(servers, MOST_NEW);
}

/** In the order in which they are played. */
export const STORMS: Readonly<Record<string, Storm>> = {
  restart: (fleet) =>
    fleet.settle('all replicas restart, then all ping within 10 s', async () => {
      const { site, load } = fleet;
      await Promise.all(site.replicas.map((replica) => replica.stop('SIGTERM')));
      await Promise.all(site.replicas.map((replica) => replica.start()));
      await load.pingAllWithin(RUSH_MS);
      await delay(RUSH_MS);
    }),

  outage: (fleet) => {
    const { redis } = fleet.site;
    const stand = async (): Promise<void> => {
      redis.freeze();
      await delay(1000 * fleet.options.outageS);
      redis.thaw();
    };
    return fleet.settle(`Redis stands for ${fleet.options.outageS} s`, stand, { untilAllPinged: true });
  },

  loss: (fleet) =>
    fleet.settle('Redis is killed and starts empty', () => fleet.site.redis.restart(), {
      untilAllPinged: true,
    }),

  death: (fleet) => {
    const { redis } = fleet.site;
    const { outageS } = fleet.options;
    const die = async (): Promise<void> => {
      await redis.crash();
      await delay(1000 * outageS);
      await redis.restart();
    };
    return fleet.settle(`Redis is killed, and starts empty after ${outageS} s`, die, {
      untilAllPinged: true,
    });
  },

  broadcasts: (fleet) => {
    const { servers } = fleet.options;
    return fleet.settle(`${mostNew(servers)} broadcast within 2 s`, async () => {
      fleet.expected += mostNew(servers);
      await fleet.load.start(servers + mostNew(servers), NEW_WITHIN_MS);
      await delay(NEW_WITHIN_MS);
    });
  },

  expiry: (fleet) => {
    const fallSilent = async (): Promise<string> => {
      await fleet.load.silence(SHARE_OF_SILENT);
      fleet.expected = (await fleet.load.report()).gameServers.living;
      return `${fleet.expected} stay; the TTL is ${fleet.ttlMs / 1000} s`;
    };
    const limitMs = 2 * fleet.ttlMs + LONGEST_HOLD_MS;
    return fleet.settle('30 % fall silent for good', fallSilent, { limitMs });
  },

  join: (fleet) =>
    fleet.settle('a replica joins', async () => {
      const { joiner, replicas } = fleet.site;
      const startedAt = performance.now();
      await joiner.start();
      const readyMs = performance.now() - startedAt;
      const plainMs = await readList(joiner.url, 'identity');
      const gzipMs = await readList(joiner.url, 'gzip');
      const { stallMs, busyMs, gcMs } = await joiner.probe('report');
      const others = (await Promise.all(replicas.map((replica) => replica.probe('report')))).map(
        (each) => each.stallMs,
      );
      return (
        `ready after ${readyMs.toFixed(0)} ms, then plain in ${plainMs.toFixed(0)} ms, gzip in ${gzipMs.toFixed(0)} ms; ` +
        `its event loop stood ${stallMs.toFixed(0)} ms (busy ${busyMs.toFixed(0)} ms, GC ${gcMs.toFixed(0)} ms), ` +
        `that of another ${Math.max(...others).toFixed(0)} ms`
      );
    }),
};

async function readList(url: string, encoding: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { 'Accept-Encoding': encoding } });
  for await (const _part of response.body!) void _part;
  return performance.now() - startedAt;
}
