/**
 * Which registry the configuration asks for, opened, and what of its events goes into the log. Part of the
 * composition root: knows every kind of registry, and nothing of HTTP.
 */

import type { Config } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';
import { createOutageLog } from '../log/outage-log.ts';
import { explain } from '../log/redis-reasons.ts';
import { DataFile } from '../registry/data-file/data-file.ts';
import type { Processes } from '../registry/data-file/file-lock.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import { MemoryRegistry } from '../registry/memory/memory-registry.ts';
import { connectRedis } from '../registry/redis/connection/connect.ts';
import { describeAddress, type RedisAddress } from '../registry/redis/connection/redis-address.ts';
import type { ReloadReason } from '../registry/redis/feed-follower.ts';
import { RedisRegistry, type RedisRegistryEvents } from '../registry/redis/redis-registry.ts';
import type { Registry } from '../registry/registry.ts';

export type Closer = () => Promise<void>;

export interface OpenRegistryOptions {
  readonly config: Config;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  /** Who else is told of everything that is logged. */
  readonly counted: RedisRegistryEvents;
  readonly processes: Processes;
  /** Takes what is to be closed, in the order of opening. */
  readonly closers: Closer[];
}

/** Rejects when the data file cannot be used; Redis may be absent. */
export function openRegistry(options: OpenRegistryOptions): Promise<Registry> {
  const { redisAddress } = options.config;
  return redisAddress === undefined ? openMemory(options) : openRedis(options, redisAddress);
}

async function openMemory(options: OpenRegistryOptions): Promise<Registry> {
  const { config, lifetime, logger, closers } = options;
  const journal = config.dataFile === undefined ? undefined : await openDataFile(options, config.dataFile);
  const registry = new MemoryRegistry({
    lifetime,
    uniqueAddress: config.uniqueAddress,
    holdMassExpiry: !config.noMassExpiryHold,
    events: eventsOf(options),
    ...(journal && { journal }),
  });
  closers.push(() => registry.close());
  const where = journal
    ? ` and in the file ${config.dataFile}`
    : '; --redis shares one between replicas, --data-file keeps it through a restart';
  logger.info({}, `the registry is in the memory of this process${where}`);
  return registry;
}

async function openDataFile(
  { processes, logger, closers }: OpenRegistryOptions,
  path: string,
): Promise<DataFile> {
  const dataFile = await DataFile.open(path, {
    processes,
    events: {
      onTornLine: () =>
        logger.warn(
          { path },
          'the data file ended in the middle of a line: dropped what was never acknowledged',
        ),
      onRenumbered: () =>
        logger.warn(
          { path },
          'the data file had places in the list from the far future: kept the order alone',
        ),
      onDisturbed: (what, keptAs) =>
        logger.warn(
          { path, keptAs },
          `the data file was ${what} while in use: wrote it anew; it is read at the start only, so stop GSLS before you change it`,
        ),
      onUnwritable: (error) =>
        logger.error(
          { path, reason: reasonOf(error) },
          'the data file cannot be written: what changes now is lost if this process ends before it can',
        ),
      onWritable: () => logger.warn({ path }, 'the data file holds everything again'),
    },
  });
  closers.push(() => dataFile.close());
  return dataFile;
}

/** After that a replica listens all the same, and says that it is not ready. */
const LONGEST_FIRST_LIST_MS = 2000;

/** Resolves once the first list is loaded, or Redis turns out not to answer. */
async function openRedis(options: OpenRegistryOptions, address: RedisAddress): Promise<Registry> {
  const { config, lifetime, logger, counted, closers } = options;
  const redis = describeAddress(address);
  logger.info({ redis }, 'the registry is in Redis');
  const connection = connectRedis(address, {
    onUp: () => logger.debug({ redis }, 'connected to Redis'),
    onDown: (error) => logger.debug({ redis, reason: explain(error) }, 'not connected to Redis'),
    onRisk: (risk, where) => logger.warn({ redis: where }, risk),
  });
  const outages = createOutageLog({ logger, redis, whyDown: () => connection.whyDown() });
  closers.push(() => connection.close());
  const registry = new RedisRegistry({
    client: connection.client,
    registryName: config.registry,
    lifetime,
    uniqueAddress: config.uniqueAddress,
    holdMassExpiry: !config.noMassExpiryHold,
    writeBack: !config.noWriteBack,
    events: {
      ...eventsOf(options),
      onUnavailable: both(counted.onUnavailable, outages.begins),
      onAvailable: both(counted.onAvailable, outages.ends),
    },
  });
  closers.push(() => registry.close());
  await connection.firstAttempt;
  await registry.untilListed(LONGEST_FIRST_LIST_MS);
  return registry;
}

/** Why the list is loaded anew, in words. */
const RELOADS: Readonly<Record<ReloadReason, string>> = {
  epoch: 'Redis has lost the registry, or another one took its place: loading the list anew',
  rollback: 'Redis has gone back to an earlier state: loading the list anew',
  digest: 'Redis holds something else than this replica: loading the list anew',
  floor: 'this replica has missed more removals than Redis remembers: loading the list anew',
  reset: 'the registry was reset: loading the list anew',
  damage: 'something else has written to the keys of the registry: loading the list anew',
};

function eventsOf({
  logger,
  counted,
}: OpenRegistryOptions): Omit<RedisRegistryEvents, 'onUnavailable' | 'onAvailable'> {
  return {
    onExpired: both(counted.onExpired, (ids) =>
      logger.info({ count: ids.length, ids: ids.slice(0, 20) }, 'game servers expired'),
    ),
    onExpiryHeld: both(counted.onExpiryHeld, (silence) =>
      logger.error(
        silence,
        'most game servers fell silent together: holding their expiry; is the network between them and us in order?',
      ),
    ),
    onExpiryReleased: both(counted.onExpiryReleased, () =>
      logger.warn({}, 'the mass silence is over: game servers expire again'),
    ),
    onReload: both(counted.onReload, (reason) =>
      (reason === 'reset' ? logger.info : logger.warn).call(logger, { reason }, RELOADS[reason]),
    ),
    onWrongType: both(counted.onWrongType, (key) =>
      logger.error(
        { key },
        'a key of the registry held something of another type: deleted it; nothing else may write to these keys',
      ),
    ),
    onRestored: both(counted.onRestored, (count) =>
      logger.warn({ count }, 'Redis had lost game servers: listed them again from the copy of this replica'),
    ),
  };
}

/** One event for two who want to know. */
function both<Args extends readonly unknown[]>(
  first: (...args: Args) => void,
  second: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    first(...args);
    second(...args);
  };
}

/** The first line of what went wrong underneath. */
function reasonOf(error: unknown): string {
  const root = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { message, code } = root as NodeJS.ErrnoException;
  return message?.split('\n')[0] || (code ?? String(root));
}
