/**
 * The composition root: opens what a replica needs, in order, and closes it in reverse. Only src/service knows both the
 * registries and HTTP.
 */

import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '../work/turns.ts';
import { Guard } from '../http/auth.ts';
import { createDocuments } from '../docs/documents.ts';
import { createEndpoints } from '../writes/endpoints.ts';
import { createErrorLog, type ErrorLog } from '../http/error-log.ts';
import type { Picture } from '../browse/picture.ts';
import { shedLoad, type LoadWatch } from '../http/limits/load-shedding.ts';
import { createMetricsEndpoint } from '../ops/ops.ts';
import { limitRates, type RateLimits } from '../http/limits/rate-limits.ts';
import type { Logger } from '../log/logger.ts';
import { RefusalRecord } from '../moderation/refusal-record.ts';
import { createRoutes } from '../http/routes.ts';
import { createServerTokens } from '../writes/server-token.ts';
import type { DetailsRule } from '../writes/validation.ts';
import type { Verification } from '../http/verification.ts';
import { startHttpServer } from '../http/server/server.ts';
import type { Config } from '../config/config.ts';
import { DEADLINES, type Deadlines } from '../deadlines.ts';
import { createAdmin } from './admin.ts';
import { describeApi } from './describe-api.ts';
import { openKeyFiles } from './key-files.ts';
import { openDetailsRule } from './details-rule.ts';
import { openPageLogo } from './page-logo.ts';
import { createConnectionLimits, createLoadWatch } from './load.ts';
import { createMetrics, type ServiceMetrics } from './metrics/create-metrics.ts';
import type { ProcessFacts } from './metrics/process-metrics.ts';
import { createStreams } from './streams.ts';
import { createDoubtLog, openRateLimits } from './open-rate-limits.ts';
import { openRegistry } from './open-registry.ts';
import { startOpsPort } from '../ops/ops-port.ts';
import { createRequestListener } from './request-listener.ts';
import type { Processes } from '../registry/data-file/file-lock.ts';
import { createAddressMask, createTextMask } from '../registry/address-mask.ts';
import type { History } from '../registry/history.ts';
import { createLifetime, type Lifetime } from '../registry/lifetime.ts';
import type { Registry } from '../registry/registry.ts';
import { openVerification } from './verification.ts';
import { withClosers } from './with-closers.ts';
import { createWrongKeyLog } from './wrong-key-log.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly processes: Processes;
  readonly facts?: Partial<ProcessFacts>;
  /** The history that a registry in memory begins with. */
  readonly past?: History | undefined;
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
   * Stops. For `delayMs` (by default 0) every request is still answered, but the health fails and each answer closes its
   * connection, so that load balancers turn to other replicas. Then it drains and closes everything, within 7 s; the
   * operations port is closed after the public one. A second call ends the delay. Rejects with the first error of what
   * could not be closed, after all the rest is.
   */
  close(options?: { readonly delayMs?: number }): Promise<void>;
}

/** How long `close()` takes at the most, after its delay. */
export const CLOSING_LIMIT_MS = 7000;

/** Requests that still run after this are cut off; the rest is for closing the registry. */
const DRAIN_LIMIT_MS = CLOSING_LIMIT_MS - 1000;
/** The same for the operations port, which was open all that time. */
const OPS_DRAIN_LIMIT_MS = 250;

/** Rejects with Node's error when it cannot listen on the address, and when the data file cannot be used. Redis may be absent. */
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
    const { registry, redis } = await openRegistry({
      config,
      lifetime,
      logger,
      metrics,
      processes,
      past,
      deadlines,
      closeLater,
    });
    const verification = openVerification({ config, registry, logger, metrics, closeLater });
    const refusals = new RefusalRecord(Date.now);
    const logError = createErrorLogOf({ config, logger, metrics, refusals });
    const rateLimits = await openRateLimits({ config, lifetime, logger, redis, deadlines });
    /** What both ports need. */
    const shared = {
      config,
      registry,
      lifetime,
      logger,
      metrics,
      logError,
      refusals,
      guard,
      turns: new Turns({ events: metrics.work, mostWaitMs: deadlines.workWaitMs }),
      tokenSecrets: () => tokenSecrets,
      stopping: stopping.signal,
    };
    const ops =
      config.opsPort === undefined
        ? undefined
        : await startOpsPort({ ...shared, port: config.opsPort, facts, deadlines });
    if (ops !== undefined) closeLater(() => ops.close(OPS_DRAIN_LIMIT_MS));
    const load = config.noLoadShedding ? undefined : createLoadWatch(logger, metrics, deadlines);
    const stopWatching = load?.start();
    closeLater(async () => stopWatching?.());
    const server = await startHttpServer({
      listener: createListener({
        ...shared,
        rateLimits,
        verification,
        detailsRule,
        logo,
        deadlines,
        ...(load && { load }),
      }),
      limitConnections: createConnectionLimits(config, logger, metrics),
      onConnections: metrics.connections.onConnections,
      host: config.host,
      port: config.port,
      stopping: stopping.signal,
      logError,
      deadlines,
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
  readonly registry: Registry;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly metrics?: ServiceMetrics;
  readonly logError?: ErrorLog;
  /** What `logError` records. */
  readonly refusals?: RefusalRecord;
  readonly guard?: Guard;
  /** Of all work of this process. */
  readonly turns?: Turns;
  /** Those of the operator, if there are any. */
  readonly tokenSecrets?: () => readonly string[];
  readonly rateLimits?: RateLimits;
  readonly verification?: Verification | undefined;
  readonly detailsRule?: DetailsRule | undefined;
  /** Of the page. */
  readonly logo?: Picture | undefined;
  /** Where the files of the page are; undefined for where the build leaves them. */
  readonly pageFolder?: URL;
  readonly load?: Pick<LoadWatch, 'sheds'>;
  readonly deadlines?: Pick<Deadlines, 'streamMs'>;
  /** Aborted once the replica is to stop. */
  readonly stopping?: AbortSignal;
}

/** Answers the requests of the public port. */
export function createListener(options: ListenerOptions): RequestListener {
  const { config, registry, lifetime, logger, metrics = createMetrics(), stopping } = options;
  const { deadlines = DEADLINES } = options;
  const { refusals = new RefusalRecord(Date.now), guard = new Guard(config) } = options;
  const { turns = new Turns({ events: metrics.work }) } = options;
  const { logError = createErrorLogOf({ config, logger, metrics, refusals }) } = options;
  const { rateLimits = {}, load, verification, tokenSecrets = () => config.tokenSecrets } = options;
  const isPrivate = config.authKeys.length > 0 && !config.publicRead;
  const endpoints = createEndpoints({
    registry,
    lifetime,
    tokens: createServerTokens({
      registryName: config.registry,
      secrets: () => {
        const { secret } = registry;
        if (tokenSecrets().length > 0) return tokenSecrets();
        return secret === undefined ? [] : [secret];
      },
    }),
    requireServerToken: config.requireServerToken,
    allowUnlisted: config.allowUnlisted,
    detailsRule: options.detailsRule,
    verification,
    reads: metrics.reads,
    turns,
    streams: createStreams({ config, registry, turns, logger, metrics, deadlines, stopping }),
    stopping,
    page: config.noPage
      ? undefined
      : {
          title: config.pageTitle,
          connect: config.pageConnect,
          accent: config.pageAccent,
          logo: options.logo,
          embedOrigins: config.pageEmbedOrigins,
          folder: options.pageFolder,
        },
    maxStaleMs: config.maxStale * 1000,
    listMaxAgeMs: config.listMaxAge,
    isPrivate,
    verifySource: config.verifySource,
    publicAddressesOnly: config.publicAddressesOnly,
    now: Date.now,
  });
  const limited = limitRates(endpoints, rateLimits, {
    onDoubt: createDoubtLog(logger),
    onLimited: metrics.requests.onLimited,
  });
  const operating =
    config.opsPort === undefined
      ? {
          metrics: createMetricsEndpoint({ registry, metrics }),
          admin: createAdmin({ config, registry, refusals, turns }),
        }
      : {};
  const documents = createDocuments({
    describe: () => describeApi({ config, routes, rateLimits, shedsLoad: load !== undefined }),
    isPrivate,
    turns,
  });
  const shedding = load === undefined ? limited : shedLoad(limited, load);
  const routes = createRoutes(shedding, { ...operating, documents });
  return createRequestListener({
    config,
    lifetime,
    logger,
    metrics,
    logError,
    guard,
    routes,
    maxWaitingBytes: config.maxWaiting,
    onWaiting: metrics.answers.onWaiting,
  });
}

type Logged = Pick<Required<ListenerOptions>, 'config' | 'logger' | 'metrics' | 'refusals'>;

function createErrorLogOf({ config, logger, metrics, refusals }: Logged): ErrorLog {
  return createErrorLog({
    logger,
    onRefused(code, address) {
      metrics.answers.onRefused(code);
      if (config.adminKeys.length > 0) refusals.note(code, address);
    },
    onWrongKey: createWrongKeyLog(logger),
    maskAddress: createAddressMask(config.logAddresses),
    maskText: createTextMask(config.logAddresses),
  });
}
