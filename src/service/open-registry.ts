/**
 * Opens the registry that the configuration asks for, and loads no other: a service in memory starts a third faster
 * without the client of Redis and the data file. Part of the composition root: knows every kind of registry, and
 * nothing of HTTP.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedRegistry, OpenRegistryOptions } from './opened-registry.ts';
import { createClockLog } from './clock-log.ts';
import { createOutageLog } from './outage-log.ts';
import { createAddressMask } from '../model/net/address-mask.ts';
import type { DataFile } from '../registry/data-file/data-file.ts';
import { MemoryRegistry } from '../registry/memory/memory-registry.ts';
import { createKeys } from '../registry/redis/keys.ts';
import { OlderStoreError, refuseOlderStore } from '../registry/redis/older-store.ts';
import type { RedisLink } from './open-redis.ts';
import { createDataFileLog, createRegistryLog } from './registry-log.ts';
import { tellBoth } from './tell-both.ts';

/** How often the start looks for a list. */
const LIST_CHECK_INTERVAL_MS = 50;

/** Rejects when the data file cannot be used, or what Redis has is of an older release; Redis may be absent. */
export function openRegistry(options: OpenRegistryOptions): Promise<OpenedRegistry> {
  const { link, config } = options;
  if (config.mirrors.length > 0)
    return import('./open-mirror.ts').then(({ openMirror }) => openMirror(options));
  return link === undefined ? openMemory(options) : openInRedis(options, link);
}

async function openMemory(options: OpenRegistryOptions): Promise<OpenedRegistry> {
  const { config, rules, lifetime, logger, metrics, past, closeLater } = options;
  const journal = config.dataFile === undefined ? undefined : await openDataFile(options, config.dataFile);
  const registry = new MemoryRegistry({
    lifetime,
    ...rules,
    events: tellBoth(metrics.events, createRegistryLog(logger, createAddressMask(config.logAddresses))),
    ...(journal && { journal }),
    past,
  });
  closeLater(() => registry.close());
  const where = journal
    ? ` and in the file ${config.dataFile}`
    : '; --data-file keeps it through a restart, --redis shares it between replicas';
  logger.info({}, `the registry is in the memory of this process${where}`);
  return { registry, redis: undefined, whyRefused: () => undefined };
}

async function openDataFile(
  { processes, deadlines, logger, metrics, closeLater }: OpenRegistryOptions,
  path: string,
): Promise<DataFile> {
  const { DataFile } = await import('../registry/data-file/data-file.ts');
  const events = tellBoth(createDataFileLog(logger, path), metrics.dataFile ?? {});
  const dataFile = await DataFile.open(path, { processes, deadlines, events });
  closeLater(() => dataFile.close());
  return dataFile;
}

/**
 * Resolves once the first list is loaded; unless it is to wait for that, also when Redis turns out not to answer, or
 * the time for a start is over.
 */
async function openInRedis(
  options: OpenRegistryOptions,
  { connection, redis }: RedisLink,
): Promise<OpenedRegistry> {
  const { config, rules, lifetime, logger, metrics, deadlines, closeLater } = options;
  logger.info({ redis }, 'the registry is in Redis');
  const [{ readMemory }, { RedisRegistry }] = await Promise.all([
    import('../registry/redis/connection/risks.ts'),
    import('../registry/redis/redis-registry.ts'),
  ]);
  const keys = createKeys(config.registry);
  const outages = createOutageLog({
    logger,
    redis,
    whyDown: () => connection.whyDown(),
    readMemory: () => readMemory(connection.client, keys.shared[0]!),
  });
  let isAvailable = true;
  const registry = new RedisRegistry({
    client: connection.client,
    registryName: config.registry,
    lifetime,
    ...rules,
    writeBack: !config.noWriteBack,
    deadlines,
    restsAfterMs: options.restsAfterMs,
    pulse: options.pulse,
    events: tellBoth(metrics.events, {
      ...createRegistryLog(logger, createAddressMask(config.logAddresses), !config.noWriteBack),
      onClock: createClockLog(logger),
      onUnavailable: (error: unknown) => {
        isAvailable = false;
        outages.begins(error);
      },
      onAvailable: () => {
        isAvailable = true;
        outages.ends();
      },
      onWritesRefused: outages.refusalBegins,
      onWritesAccepted: outages.refusalEnds,
    }),
  });
  closeLater(() => registry.close());
  await connection.firstAttempt;
  await refuseOlderStore(connection.client, keys).catch((error: unknown) => {
    if (error instanceof OlderStoreError)
      throw new Error(`Redis at ${redis} cannot be used: ${error.message}`, { cause: error });
  });
  await registry.untilListed(deadlines.startMs);
  while (!registry.hasList && options.waitsForList?.() === true) await delay(LIST_CHECK_INTERVAL_MS);
  const { whyRefused } = outages;
  return { registry, redis: { client: connection.client, isAvailable: () => isAvailable }, whyRefused };
}
