/**
 * The composition root: opens what a replica needs, in order, and closes it in reverse. Only src/service knows both the
 * registries and HTTP.
 */

import type { RequestListener, Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openBrowse } from '../browse/open-browse.ts';
import { openPageLogo } from '../browse/page-logo.ts';
import type { Picture } from '../browse/picture.ts';
import type { Config } from '../config/config.ts';
import { DEADLINES, type Deadlines } from '../deadlines.ts';
import { Pulse } from '../pulse.ts';
import { openDocs } from '../docs/open-docs.ts';
import { openFeed } from '../feed/open-feed.ts';
import { openFind } from '../find/open-find.ts';
import { Pages } from '../find/pages.ts';
import { Guard } from '../http/auth.ts';
import { parsePeer } from '../http/client.ts';
import type { Context, Room } from '../http/context.ts';
import { CurrentList } from '../http/current-list.ts';
import { createErrorLog, type ErrorLog } from '../http/error-log.ts';
import { createLoadWatch, shedLoad, type LoadWatch } from '../http/limits/load-shedding.ts';
import { limitRates, type RateLimits } from '../http/limits/rate-limits.ts';
import type { RequestKind } from '../http/route.ts';
import { Routes } from '../http/routes.ts';
import { limitConnections } from '../http/server/connection-limits.ts';
import { createRequestListener } from '../http/server/request-listener.ts';
import { startHttpServer } from '../http/server/server.ts';
import { openLists } from '../lists/open-lists.ts';
import type { Logger } from '../log/logger.ts';
import { openModeration } from '../moderation/open-moderation.ts';
import { RefusalRecord } from '../moderation/refusal-record.ts';
import { openMetrics } from '../ops/open-ops.ts';
import { startOpsPort } from '../ops/ops-port.ts';
import { createAddressMask, createTextMask } from '../registry/address-mask.ts';
import type { Processes } from '../registry/data-file/file-lock.ts';
import type { HistoryRecord } from '../registry/history-record.ts';
import { createLifetime, type Lifetime } from '../registry/lifetime.ts';
import type { Backend } from '../registry/backend.ts';
import { Turns } from '../work/turns.ts';
import { openDetailsRule } from '../writes/details-rule.ts';
import { openWrites } from '../writes/open-writes.ts';
import type { DetailsRule } from '../writes/validation.ts';
import { openKeyFiles } from './key-files.ts';
import { createMetrics, type ServiceMetrics } from './metrics/create-metrics.ts';
import type { ProcessFacts } from './metrics/process-metrics.ts';
import { createDoubtLog, openRateLimits } from './open-rate-limits.ts';
import { openRegistry } from './open-registry.ts';
import { withClosers } from './with-closers.ts';
import { createWrongKeyLog } from './wrong-key-log.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly processes: Processes;
  readonly facts?: Partial<ProcessFacts>;
  /** The history that a registry in memory begins with. */
  readonly past?: HistoryRecord | undefined;
  readonly deadlines?: Deadlines;
}

export interface Service {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** Where the page for people is, if it is served. */
  readonly browseUrl?: string | undefined;
  /** The same as `url` for the operations port, if there is one. */
  readonly opsUrl?: string | undefined;
  /** Reads the files of keys again, without waiting until a change of them is noticed. Logs what came of it. */
  reload(): Promise<void>;
  /**
   * Stops. For `delayMs` (by default 0) every request is still answered, but the health fails and each answer closes
   * its connection, so that load balancers turn to other replicas. Then it drains and closes everything, within 7 s;
   * the operations port is closed after the public one. A second call ends the delay. Rejects with the first error of
   * what could not be closed, after all the rest is.
   */
  close(options?: { readonly delayMs?: number }): Promise<void>;
}

/** How long `close()` takes at the most, after its delay. */
export const CLOSING_LIMIT_MS = 7000;

/** Requests that still run after this are cut off; the rest is for closing the registry. */
const DRAIN_LIMIT_MS = CLOSING_LIMIT_MS - 1000;
/** The same for the operations port, which was open all that time. */
const OPS_DRAIN_LIMIT_MS = 250;

/**
 * Rejects with Node's error when it cannot listen on the address, and when the data file cannot be used. Redis may be
 * absent.
 */
export async function startService({
  config,
  logger,
  processes,
  facts = {},
  past,
  deadlines = DEADLINES,
}: ServiceOptions): Promise<Service> {
  const stopping = new AbortController();
  const guard = new Guard(config);
  let { tokenSecrets } = config;
  const detailsRule = await openDetailsRule(config);
  const logo = await openPageLogo(config);
  const { value, close } = await withClosers(async (closeLater) => {
    const lifetime = createLifetime(config.ttl * 1000);
    const metrics = createMetrics({
      ...facts,
      hasRedis: config.redisAddress !== undefined,
      hasDataFile: config.dataFile !== undefined,
      maxServers: config.maxServers,
    });
    const pulse = new Pulse(deadlines);
    closeLater(async () => pulse.stop());
    const { registry, redis } = await openRegistry({
      config,
      lifetime,
      logger,
      metrics,
      processes,
      past,
      deadlines,
      pulse,
      closeLater,
    });
    const load = config.noLoadShedding ? undefined : createLoadWatch(logger, metrics.load, deadlines);
    const parts = createParts({
      config,
      registry,
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
    const moderation = openModeration(parts);
    const rooms = openRooms(parts, moderation);
    for (const room of rooms) if (room.close !== undefined) closeLater(room.close);
    const ops =
      config.opsPort === undefined
        ? undefined
        : await startOpsPort({
            ...parts,
            ...answerEvents(metrics),
            port: config.opsPort,
            moderation,
            facts,
            pulse,
            stopping: stopping.signal,
          });
    if (ops !== undefined) closeLater(() => ops.close(OPS_DRAIN_LIMIT_MS));
    const stopWatching = load?.start();
    closeLater(async () => stopWatching?.());
    const server = await startHttpServer({
      listener: listenTo(parts, rooms),
      limitConnections: connectionLimits(parts),
      onConnections: metrics.connections.onConnections,
      host: config.host,
      port: config.port,
      stopping: stopping.signal,
      logError: parts.logError,
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
    return { url: server.url, opsUrl: ops?.url, keyFiles };
  });
  return {
    url: value.url,
    browseUrl: config.noPage ? undefined : `${value.url}/browse`,
    opsUrl: value.opsUrl,
    async reload() {
      if (value.keyFiles.length === 0) logger.info({}, 'there is no key file that could be read again');
      await Promise.all(value.keyFiles.map((file) => file.reload()));
    },
    async close({ delayMs = 0 } = {}) {
      stopping.abort();
      if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
      await close();
    },
  };
}

export interface ListenerOptions {
  readonly config: Config;
  readonly registry: Backend;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly metrics?: ServiceMetrics;
  readonly guard?: Guard;
  /** Those of the operator, if there are any. */
  readonly tokenSecrets?: () => readonly string[];
  readonly rateLimits?: RateLimits;
  readonly detailsRule?: DetailsRule | undefined;
  /** Of the page. */
  readonly logo?: Picture | undefined;
  /** Where the files of the page are; undefined for where the build leaves them. */
  readonly pageFolder?: URL | undefined;
  readonly load?: Pick<LoadWatch, 'sheds'> | undefined;
  /** Of all work of this process. */
  readonly turns?: Turns;
  readonly deadlines?: Pick<Deadlines, 'streamMs' | 'workWaitMs'>;
  /** Aborted once the replica is to stop. */
  readonly stopping?: AbortSignal;
}

/** Answers the requests of the public port of a service without an operations port. */
export function createListener(options: ListenerOptions): RequestListener {
  const parts = createParts(options);
  return listenTo(parts, openRooms(parts, openModeration(parts)));
}

/** What rooms and ports are made of. */
type Parts = Context &
  Required<Pick<ListenerOptions, 'metrics' | 'guard' | 'tokenSecrets' | 'rateLimits'>> &
  Pick<ListenerOptions, 'detailsRule' | 'logo' | 'pageFolder' | 'load'> & {
    readonly refusals: RefusalRecord;
    readonly logError: ErrorLog;
  };

function createParts({
  metrics = createMetrics(),
  deadlines = DEADLINES,
  ...options
}: ListenerOptions): Parts {
  const { config, registry, logger, stopping } = options;
  const isPrivate = config.authKeys.length > 0 && !config.publicRead;
  const maskAddress = createAddressMask(config.logAddresses);
  const refusals = new RefusalRecord(Date.now);
  return {
    guard: new Guard(config),
    tokenSecrets: () => config.tokenSecrets,
    rateLimits: {},
    turns: new Turns({ events: metrics.work, mostWaitMs: deadlines.workWaitMs }),
    ...options,
    metrics,
    deadlines,
    stopping,
    isPrivate,
    maskAddress,
    refusals,
    now: Date.now,
    currentList: new CurrentList({
      registry,
      maxStaleMs: config.maxStale * 1000,
      listMaxAgeMs: config.listMaxAge,
      isPrivate,
      now: Date.now,
    }),
    logError: createErrorLog({
      logger,
      onRefused(code, address) {
        metrics.answers.onRefused(code);
        if (config.adminKeys.length > 0) refusals.note(code, address);
      },
      onWrongKey: createWrongKeyLog(logger),
      maskAddress,
      maskText: createTextMask(config.logAddresses),
    }),
  };
}

/** The rooms of the public port, in the order in which they are opened. */
function openRooms(parts: Parts, moderation: Room): readonly Room[] {
  const { config, metrics, turns, rateLimits, load } = parts;
  const { onRendered, onQuery } = metrics.reads;
  const pages = new Pages(turns, onQuery);
  const rooms: Room[] = [
    openLists({ ...parts, onRendered }),
    openFind({ ...parts, pages, onQuery }),
    openFeed({ ...parts, onStreams: metrics.streams }),
    openBrowse({ ...parts, pages }),
    openWrites({ ...parts, onProbe: metrics.onProbe }),
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

/** Answers the requests of the public port. */
function listenTo(parts: Parts, rooms: readonly Room[]): RequestListener {
  const { config, logger, metrics, rateLimits, load } = parts;
  const routes = rooms.flatMap((room) => room.routes);
  const limited = limitRates(routes, rateLimits, {
    onDoubt: createDoubtLog(logger),
    onLimited: metrics.requests.onLimited,
  });
  return createRequestListener({
    ...parts,
    ...answerEvents(metrics),
    routes: new Routes(load === undefined ? limited : shedLoad(limited, load)),
    maxWaitingBytes: config.maxWaiting,
    onWaiting: metrics.answers.onWaiting,
  });
}

function answerEvents({
  answers,
  requests,
}: ServiceMetrics): Pick<Parameters<typeof createRequestListener>[0], 'onCutOff' | 'onAnswered'> {
  return { onCutOff: ({ reason }) => answers.onCutOff(reason), onAnswered: requests.onAnswered };
}

/** Limits the connections of the public port. */
function connectionLimits({ config, logger, metrics, maskAddress }: Parts): (server: Server) => void {
  const { trustProxy } = config;
  return (server) =>
    limitConnections(server, {
      most: config.maxConnections,
      mostPerAddress: config.maxConnectionsPerAddress,
      isExempt: (ip) => trustProxy?.has(ip) ?? false,
      onClosed(limit, remoteAddress) {
        metrics.connections.onClosed(limit);
        logger.debug(
          { limit, remoteAddress: maskAddress(parsePeer(remoteAddress)) },
          'a connection too many was closed',
        );
      },
    });
}
