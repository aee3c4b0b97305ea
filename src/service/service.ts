/**
 * The composition root: opens what a replica needs, in order, and closes it in reverse. Only src/service knows both the
 * registries and HTTP.
 */

import { openPageLogo } from '../page/served/picture.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config/config.ts';
import { createDescription } from './config/describe-options.ts';
import { DEADLINES, type Deadlines } from '../runtime/deadlines.ts';
import { Pulse } from '../runtime/pulse.ts';
import { Guard } from '../api/http/auth.ts';
import { REPLACED } from '../api/http/context.ts';
import { createLoadWatch } from '../api/http/limits/load-shedding.ts';
import { loadKoaPath } from '../api/http/server/request-listener.ts';
import { startHttpServer } from '../api/http/server/server.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { startOpsPort } from '../api/ops/ops-port.ts';
import type { Processes } from '../registry/data-file/file-lock.ts';
import type { HistoryRecord } from '../registry/history-record.ts';
import { createLifetime } from '../registry/lifetime.ts';
import { openProtocols } from '../protocols/open-protocols.ts';
import { openDetailsRule } from '../api/writes/details-rule.ts';
import { loadWrites } from '../api/writes/open-writes.ts';
import { openKeyFiles } from './key-files.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import type { Family } from './metrics/families.ts';
import type { ProcessFacts } from './metrics/process-metrics.ts';
import { openRateLimits } from './open-rate-limits.ts';
import { openRegistry } from './open-registry.ts';
import { withClosers } from './with-closers.ts';
import { answerEvents, connectionLimits, listenTo, openModerators } from './listener.ts';
import { createServiceContext } from './service-context.ts';
import { roomOptionsOf } from './room-options.ts';
import { openRooms } from './rooms.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly processes: Processes;
  readonly facts?: Partial<ProcessFacts>;
  /** The history that a registry in memory begins with. */
  readonly past?: HistoryRecord | undefined;
  readonly deadlines?: Deadlines;
  /** The place of a replica that is one worker of several. */
  readonly amongWorkers?: AmongWorkers | undefined;
}

export interface AmongWorkers {
  /** Its number, from 1 on. The first one alone has the port that is no port of HTTP. */
  readonly worker: number;
  /** Whether it listens only once it has a list: others answer meanwhile. */
  readonly waitsForList: boolean;
  /** The metrics of all of them. */
  readonly gatherMetrics: () => Promise<readonly Family[]>;
}

export interface Service {
  /** The URL of the service on this machine. */
  readonly url: string;
  /** The URL of the page for people, if it is served. */
  readonly browseUrl?: string | undefined;
  /** The same as `url` for the operations port, if there is one. */
  readonly opsUrl?: string | undefined;
  /** Reads the files of keys again, without waiting until a change of them is noticed. Logs what came of it. */
  reload(): Promise<void>;
  /** The metrics of this replica alone. */
  readMetrics(): Promise<readonly Family[]>;
  /**
   * Stops. For `delayMs` (by default 0) every request is still answered, but the health fails and each answer closes
   * its connection, so that load balancers turn to other replicas. Then it drains and closes everything, within 7 s;
   * the operations port is closed after the public one. A second call ends the delay. Rejects with the first error of
   * what could not be closed, after all the rest is. `isReplaced`: another worker has its place already. Then the
   * health does not fail, and no new connection is accepted.
   */
  close(options?: { readonly delayMs?: number; readonly isReplaced?: boolean }): Promise<void>;
}

/** How long `close()` takes at the most, after its delay. */
export const CLOSING_LIMIT_MS = 7000;

/** Requests that still run after this are cut off; the rest is for closing the registry. */
const DRAIN_LIMIT_MS = CLOSING_LIMIT_MS - 1000;
/** The same for the operations port, which was open all that time. */
const OPS_DRAIN_LIMIT_MS = 250;

/**
 * Rejects with Node's error when it cannot listen on the address, and when the data file cannot be used or what Redis
 * has is of an older release. Redis may be absent.
 */
export async function startService({
  config,
  logger,
  processes,
  facts = {},
  past,
  deadlines = DEADLINES,
  amongWorkers,
}: ServiceOptions): Promise<Service> {
  const stopping = new AbortController();
  const options = roomOptionsOf(config);
  const guard = new Guard(config);
  let { tokenSecrets } = config;
  // A replica beside others does it before it is one of them, and not while it answers.
  if (config.redisAddress !== undefined) await Promise.all([loadWrites(), loadKoaPath()]);
  const detailsRule = await openDetailsRule(config.detailsSchema, config.detailsSchemaJson);
  const logo = await openPageLogo(config.pageLogo);
  const { value, close } = await withClosers(async (closeLater) => {
    const lifetime = createLifetime(config.ttl * 1000, config.keepId * 1000);
    const metrics = createMetrics({
      ...facts,
      hasRedis: config.redisAddress !== undefined,
      hasDataFile: config.dataFile !== undefined,
      maxServers: config.maxServers,
      protocols: options.protocols.names,
      gather: amongWorkers?.gatherMetrics,
    });
    const pulse = new Pulse(deadlines);
    closeLater(async () => pulse.stop());
    const { registry, redis, whyRefused } = await openRegistry({
      config,
      rules: options.registry,
      lifetime,
      logger,
      metrics,
      processes,
      past,
      deadlines,
      pulse,
      waitsForList: amongWorkers?.waitsForList,
      closeLater,
    });
    const load = config.noLoadShedding ? undefined : createLoadWatch(logger, metrics.load, deadlines);
    const context = createServiceContext({
      config,
      options,
      registry,
      whyRefused,
      lifetime,
      logger,
      metrics,
      guard,
      tokenSecrets: () => tokenSecrets,
      detailsRule,
      logo,
      rateLimits: await openRateLimits({ config, lifetime, logger, redis, deadlines }),
      load,
      deadlines,
      stopping: stopping.signal,
    });
    const moderation = openModerators(context);
    const ownRooms = openRooms(context, moderation);
    for (const room of ownRooms) if (room.close !== undefined) closeLater(room.close);
    const { onOutcome } = metrics.protocols;
    const hasUdp = amongWorkers === undefined || amongWorkers.worker === 1;
    const rooms = [
      ...ownRooms,
      ...(await openProtocols({ ...context, options: options.protocols, onOutcome, hasUdp, closeLater })),
    ];
    const ops =
      config.opsPort === undefined
        ? undefined
        : await startOpsPort({
            ...context,
            ...answerEvents(metrics),
            options: options.http,
            describeConfig: createDescription({ config, facts, guard, tokenSecrets: () => tokenSecrets }),
            host: config.opsHost,
            port: config.opsPort,
            moderation,
            pulse,
            stopping: stopping.signal,
          });
    if (ops !== undefined) closeLater(() => ops.close(OPS_DRAIN_LIMIT_MS));
    const stopWatching = load?.start();
    closeLater(async () => stopWatching?.());
    const server = await startHttpServer({
      listener: listenTo(context, rooms),
      limitConnections: connectionLimits(context),
      onConnections: metrics.connections.onConnections,
      host: config.host,
      port: config.port,
      stopping: stopping.signal,
      logError: context.logError,
      pulse,
    });
    closeLater(() => server.close(DRAIN_LIMIT_MS));
    const keyFiles = openKeyFiles({
      config,
      guard,
      replaceTokenSecrets(secrets) {
        tokenSecrets = secrets;
      },
      logger,
    });
    closeLater(async () => keyFiles.forEach((file) => file.close()));
    return { url: server.url, opsUrl: ops?.url, keyFiles, readMetrics: () => metrics.families(registry) };
  });
  return {
    url: value.url,
    browseUrl: config.noPage ? undefined : `${value.url}/browse`,
    opsUrl: value.opsUrl,
    async reload() {
      if (value.keyFiles.length === 0) logger.info({}, 'there is no key file that could be read again');
      await Promise.all(value.keyFiles.map((file) => file.reload()));
    },
    readMetrics: value.readMetrics,
    async close({ delayMs = 0, isReplaced = false } = {}) {
      stopping.abort(isReplaced ? REPLACED : undefined);
      if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
      await close();
    },
  };
}
