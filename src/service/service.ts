/**
 * The composition root: opens what a replica needs, in order, and closes it in reverse. Only src/service knows both the
 * registries and HTTP.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from './deployment/deployment.ts';
import { createDescription } from './config/describe-options.ts';
import { DEADLINES, type Deadlines } from '../runtime/deadlines.ts';
import { Pulse } from '../runtime/pulse.ts';
import { REPLACED } from '../api/http/context.ts';
import { createErrorLog } from '../api/http/error-log.ts';
import { KeyRing, keysOfFlags } from '../api/http/key-ring.ts';
import { createLoadWatch } from '../api/http/limits/load-shedding.ts';
import { loadKoaPath } from '../api/http/server/request-listener.ts';
import { startHttpServer } from '../api/http/server/server.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { openMetrics, openOps } from '../api/ops/open-ops.ts';
import { createOpsPort, startOpsPort } from '../api/ops/ops-port.ts';
import { Turns } from '../api/work/turns.ts';
import type { Processes } from '../registry/data-file/file-lock.ts';
import type { HistoryRecord } from '../registry/history-record.ts';
import { createAddressMask, createTextMask } from '../model/net/address-mask.ts';
import { loadWrites } from '../api/writes/open-writes.ts';
import { ConfigWatch, type Rereading } from './deployment/config-watch.ts';
import { createProcessMetrics, METRICS_TYPE, renderMetrics } from './metrics/create-metrics.ts';
import { together, type Family } from './metrics/families.ts';
import type { ProcessFacts } from './metrics/process-metrics.ts';
import { openCountries } from './countries/open-countries.ts';
import { logEndedKeys } from './ended-keys-log.ts';
import { openRedis } from './open-redis.ts';
import { withClosers } from './with-closers.ts';
import { connectionLimits, createPublicPort, portOptionsOf, proxyProtocolOf } from './listener.ts';
import { Registries } from './serving/registries.ts';
import { ServersOfAll } from './serving/servers-of-all.ts';
import type { AmongWorkers, SharedParts } from './serving/shared-parts.ts';
import { createWrongKeyLog } from './wrong-key-log.ts';

export interface ServiceOptions {
  readonly deployment: Deployment;
  /** How its configuration is read again; undefined if it never is. */
  readonly rereading?: Rereading | undefined;
  readonly logger: Logger;
  readonly processes: Processes;
  readonly facts?: Partial<ProcessFacts>;
  /** The history that a registry in memory begins with. */
  readonly past?: HistoryRecord | undefined;
  readonly deadlines?: Deadlines;
  /** The place of a replica that is one worker of several. */
  readonly amongWorkers?: AmongWorkers | undefined;
}

export interface Service {
  /** The URL of the service on this machine. */
  readonly url: string;
  /** The URL of the page for people, if it is served. */
  readonly browseUrl?: string | undefined;
  /** The same as `url` for the operations port, if there is one. */
  readonly opsUrl?: string | undefined;
  /** Reads the configuration again, without waiting until a change of it is noticed. Logs what came of it. */
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
  deployment,
  rereading,
  logger,
  processes,
  facts = {},
  past,
  deadlines = DEADLINES,
  amongWorkers,
}: ServiceOptions): Promise<Service> {
  const { config, isNamed, warnings } = deployment;
  const stopping = new AbortController();
  const hasRedis = config.redisAddress !== undefined;
  for (const warning of warnings) logger.warn({}, warning);
  // A replica beside others does it before it is one of them, and not while it answers.
  if (hasRedis) await Promise.all([loadWrites(), loadKoaPath()]);
  const { value, close } = await withClosers(async (closeLater) => {
    const metrics = createProcessMetrics({ ...facts, hasRedis });
    const pulse = new Pulse(deadlines);
    closeLater(async () => pulse.stop());
    const redis =
      config.redisAddress && (await openRedis({ address: config.redisAddress, logger, metrics, deadlines }));
    if (redis !== undefined) closeLater(() => redis.connection.close());
    const { geoFile: path } = config;
    const countryOf = path === undefined ? undefined : await openCountries({ path, logger, closeLater });
    const load = config.noLoadShedding ? undefined : createLoadWatch(logger, metrics.load, deadlines);
    const logError = createErrorLog({
      logger,
      onRefused: metrics.requests.onRefused,
      onWrongKey: createWrongKeyLog(logger),
      maskAddress: createAddressMask(config.logAddresses),
      maskText: createTextMask(config.logAddresses),
    });
    const shared: SharedParts = {
      config,
      isNamed,
      logger,
      processes,
      past,
      deadlines,
      amongWorkers,
      pulse,
      stopping: stopping.signal,
      turns: new Turns({ events: metrics.work, mostWaitMs: deadlines.workWaitMs }),
      load,
      serversOfAll:
        config.totalServers === undefined
          ? undefined
          : new ServersOfAll({
              most: config.totalServers,
              workers: amongWorkers?.workers ?? 1,
              count: async () => sumOf(await registries.counts()),
            }),
      streamsOfAll: { most: config.totalStreams ?? Infinity, open: 0 },
      countryOf,
      ring: new KeyRing([...keysOfFlags(config), ...deployment.keys]),
      metrics,
      redis,
      port: createPublicPort(config, logger, metrics),
      opsPort: config.opsPort === undefined ? undefined : createOpsPort(portOptionsOf(config, logger)),
    };
    const readMetrics = async (): Promise<readonly Family[]> => {
      const open = [...registries.open()];
      return together(await Promise.all([...open.map((served) => served.families()), metrics.families()]));
    };
    const source = {
      contentType: METRICS_TYPE,
      render: async () => renderMetrics([await (amongWorkers?.gatherMetrics() ?? readMetrics())]),
    };
    const describeConfig = createDescription({ facts, deployment: () => registries.deployment });
    const ops = openOps({
      metrics: source,
      registries: () => registries.open(),
      describeConfig,
      stopping: stopping.signal,
    });
    const ofProcess =
      config.opsPort === undefined
        ? { beside: [openMetrics(source)], atOps: [] }
        : { beside: [], atOps: [ops] };
    const registries: Registries = new Registries({ shared, deployment, ofProcess, logError });
    closeLater(() => registries.close());
    await redis?.connection.firstAttempt;
    await registries.openFirst();
    const opsServer =
      shared.opsPort &&
      (await startOpsPort({
        opsPort: shared.opsPort,
        pathFor: (request) => registries.opsPathFor(request),
        host: config.opsHost,
        port: config.opsPort!,
        stopping: stopping.signal,
        logError,
        pulse,
      }));
    if (opsServer !== undefined) closeLater(() => opsServer.close(OPS_DRAIN_LIMIT_MS));
    if (config.beaconPort !== undefined) {
      const { startBeacon } = await import('../api/beacons/beacon.ts');
      const { host, beaconPort: port, trustProxy: trustedProxies } = config;
      const beacon = await startBeacon({ host, port, trustedProxies });
      closeLater(() => beacon.close());
      logger.info({ url: beacon.url }, `a beacon on ${beacon.url}`);
    }
    const stopWatching = load?.start();
    closeLater(async () => stopWatching?.());
    const server = await startHttpServer({
      listener: shared.port.listen((request) => registries.pathFor(request)),
      limitConnections: connectionLimits(config, logger, metrics),
      onConnections: metrics.connections.onConnections,
      proxyProtocol: proxyProtocolOf(config, logger),
      host: config.host,
      port: config.port,
      stopping: stopping.signal,
      logError,
      pulse,
    });
    closeLater(() => server.close(DRAIN_LIMIT_MS));
    void registries.openOthers();
    // One of several workers says it for all.
    if ((amongWorkers?.worker ?? 1) === 1) {
      const stopLogging = logEndedKeys(() => registries.deployment.keys, logger);
      closeLater(async () => stopLogging());
    }
    const watch =
      rereading && new ConfigWatch({ ...rereading, apply: (next) => registries.apply(next), logger });
    closeLater(async () => watch?.close());
    return { url: server.url, opsUrl: opsServer?.url, watch, readMetrics };
  });
  const hasPage = !isNamed && !config.noPage;
  return {
    url: value.url,
    browseUrl: hasPage ? `${value.url}/browse` : undefined,
    opsUrl: value.opsUrl,
    async reload() {
      await value.watch?.reload();
    },
    readMetrics: value.readMetrics,
    async close({ delayMs = 0, isReplaced = false } = {}) {
      stopping.abort(isReplaced ? REPLACED : undefined);
      if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
      await close();
    },
  };
}

function sumOf(counts: ReadonlyMap<string, number | undefined>): number {
  return [...counts.values()].reduce((sum: number, count) => sum + (count ?? 0), 0);
}
