/**
 * `gsls demo`: a service in memory with invented game servers that live before it, for people who want to see what a
 * list is like. Leaves nothing behind. Loaded only when it is asked for, and the world with it.
 */

import { randomUUID } from 'node:crypto';
import type { Config } from '../../service/config/config.ts';
import type { OptionName } from '../../service/config/layers.ts';
import { soleDeployment } from '../../service/deployment/deployment.ts';
import { integer } from '../../service/config/option-parsers.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { OPTIONS } from '../../service/config/options.ts';
import { inventServers } from './invent-servers.ts';
import { createPast } from './past.ts';
import { createRandom } from './random.ts';
import { MOST_CONNECTIONS, MOST_PINGS_A_SECOND, startWorld } from './world.ts';
import { serve } from '../../service/commands/serve.ts';

const DEFAULT_SERVERS = 100;
/** The list begins the same each time: a test holds that the examples of the documents find something in it. */
export const SEED = 1;
const DAYS_OF_HISTORY = 30;
/** A quarter of them for the game servers, the others for who looks at these. */
const FEWEST_CONNECTIONS = 4 * MOST_CONNECTIONS;
/** The time for the removes at the end: Ctrl-C ends the demo at once. */
const LEAVING_LIMIT_MS = 500;

/**
 * Resolves once all game servers are listed and the address is printed; the process then runs until a signal. Rejects
 * with an Error of one line. `servers`: the text of --servers.
 */
export async function demo(config: Config, version: string, servers?: string): Promise<void> {
  const count = parseServers(servers);
  refuseContradictions(config, count);
  const random = createRandom(SEED);
  const invented = inventServers({ count, now: Date.now(), random });
  const players = invented.reduce((sum, { fields }) => sum + fields.players, 0);
  // The game servers have a key of their own: one of a --key-file may be taken away.
  const key = config.authKeys.length === 0 ? undefined : randomUUID();
  const keys = key === undefined ? {} : { key: [...config.key, key], authKeys: [...config.authKeys, key] };
  await serve(soleDeployment({ ...config, ...keys }), version, {
    inhabited: {
      past: createPast({ now: Date.now(), servers: count, players, days: DAYS_OF_HISTORY }),
      async populate({ url, browseUrl }, logger) {
        const world = await startWorld({ url, key, servers: invented, random });
        const shownAt = browseUrl ?? `${url}/servers`;
        logger.info(
          { servers: world.listed },
          `the demo has listed ${world.listed} invented game servers: see ${shownAt}; Ctrl-C ends it, and leaves nothing behind`,
        );
        return async () => void (await world.close(LEAVING_LIMIT_MS));
      },
    },
  });
}

function parseServers(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SERVERS;
  try {
    return integer(1, 10_000)([text]);
  } catch (error) {
    throw new UsageError(`--servers ${(error as Error).message}`);
  }
}

/** Why an option that is set cannot be. */
const CONTRADICTIONS: Partial<Record<OptionName, string>> = {
  config: 'serves one registry, and reads no file',
  registryIndex: 'serves one registry',
  totalServers: 'serves one registry',
  totalStreams: 'serves one registry',
  mirrors: 'lists game servers of its own',
  mirrorKeys: 'lists game servers of its own',
  mirrorKeep: 'lists game servers of its own',
  workers: 'keeps its list in the memory of one process',
  dataFile: 'leaves nothing behind, so it keeps no file',
  proxyProtocol: 'announces its game servers itself, through no proxy',
  verify: 'invents its game servers, which answer nowhere',
  verifySource: 'invents its game servers, which have other addresses than the one that they broadcast from',
  publicAddressesOnly: 'invents its game servers, at addresses that are kept for documentation',
  geoFile: 'invents its game servers, at addresses that are in no country',
  detailsSchema: 'invents what its game servers say, which such a schema may refuse',
};

/** Throws a UsageError if the options would keep the game servers off the list. */
export function refuseContradictions(config: Config, count: number): void {
  const refuse = (name: OptionName, why: string): never => {
    const { source } = config.given[name]!;
    throw new UsageError(`gsls demo ${why}: leave out ${source}`);
  };
  const names = Object.keys(config.given) as OptionName[];
  for (const name of names.filter((each) => config[each] !== OPTIONS[each].default)) {
    if (name.startsWith('redis')) refuse(name, 'keeps its list in memory, and uses no Redis');
    if (CONTRADICTIONS[name] !== undefined) refuse(name, CONTRADICTIONS[name]);
  }
  for (const name of ['maxServers', 'maxServersPerAddress'] as const)
    if ((config[name] ?? Infinity) < count)
      refuse(name, `lists ${count} game servers from one address, more than this allows`);
  for (const name of ['maxConnections', 'maxConnectionsPerAddress'] as const)
    if ((config[name] ?? Infinity) < FEWEST_CONNECTIONS)
      refuse(name, `needs ${FEWEST_CONNECTIONS} connections for its game servers and for you`);
  if (config.rateLimit.some(({ kind }) => ['broadcast', 'ping', 'remove'].includes(kind)))
    refuse(
      'rateLimit',
      'sends all broadcasts, pings and removes from one address, and can limit list and join alone',
    );
  const fewestSeconds = Math.ceil((3 * count) / MOST_PINGS_A_SECOND);
  if (config.ttl < fewestSeconds)
    throw new UsageError(
      `gsls demo is too small for ${count} game servers that ping three times in ${config.ttl} s: give --ttl ${fewestSeconds} or more, or fewer --servers`,
    );
}
