/** One registry as it is served: its backend, its rooms, and the ways that requests to it go. */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openPageLogo } from '../../page/served/picture.ts';
import { REPLACED, type Room } from '../../api/http/context.ts';
import type { Path } from '../../api/http/exchange.ts';
import { Routes } from '../../api/http/routes.ts';
import { createPath } from '../../api/http/server/request-listener.ts';
import { openDetailsRule } from '../../api/writes/details-rule.ts';
import { createLifetime } from '../../registry/lifetime.ts';
import type { Quotas } from '../../registry/registry-rules.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Config } from '../config/config.ts';
import { guardOf, type PlacedRegistry } from '../deployment/placed-registry.ts';
import { moderatorsOf, openModerators, pathTo } from '../listener.ts';
import type { Family } from '../metrics/families.ts';
import { createMetrics, type ServiceMetrics } from '../metrics/create-metrics.ts';
import { openRateLimits } from '../open-rate-limits.ts';
import { openRegistry } from '../open-registry.ts';
import type { OpenedRegistry } from '../opened-registry.ts';
import { quotasOf, roomOptionsOf } from '../room-options.ts';
import { openOthers, openRooms } from '../rooms.ts';
import { createServiceContext } from '../service-context.ts';
import { withClosers, type Opened } from '../with-closers.ts';
import type { SharedParts } from './shared-parts.ts';
import { withName } from './with-name.ts';

/** A registry that lists nothing, and that nobody asks, rests after this time. */
const RESTS_AFTER_MS = 10 * 60_000;

/** The rooms of the process, which are with those of the registry where it is the only one. */
export interface RoomsOfProcess {
  readonly beside: readonly Room[];
  readonly atOps: readonly Room[];
}

/** The ways that requests go, by their ports. */
export interface Ways {
  readonly path: Path;
  /** Undefined without an operations port. */
  readonly opsPath: Path | undefined;
  /** Ends the streams, and takes no new ones. */
  readonly endStreams: () => void;
}

export class ServedRegistry {
  readonly #shared: SharedParts;
  readonly #ofProcess: RoomsOfProcess;
  readonly #metrics: ServiceMetrics;
  readonly #logger: Logger;
  #placed: PlacedRegistry;
  #backend: Opened<OpenedRegistry> | undefined;
  #ways: Opened<Ways> | undefined;
  #isClosed = false;

  private constructor(placed: PlacedRegistry, shared: SharedParts, ofProcess: RoomsOfProcess) {
    const { config, name } = placed;
    this.#placed = placed;
    this.#shared = shared;
    this.#ofProcess = ofProcess;
    this.#logger = shared.isNamed ? withName(shared.logger, name) : shared.logger;
    this.#metrics = createMetrics(
      {
        ...(shared.isNamed && { registry: name }),
        hasRedis: shared.redis !== undefined,
        hasDataFile: config.dataFile !== undefined,
        maxServers: () => this.#placed.config.maxServers,
        protocols: config.mirrors.length === 0 ? roomOptionsOf(config).protocols.names : [],
        origins: config.mirrors.map((origin) => origin.name),
      },
      shared.metrics,
    );
  }

  /** Rejects like openRegistry, and if a port of a protocol cannot be listened on. `waitsForList`: as there. */
  static async open(
    placed: PlacedRegistry,
    shared: SharedParts,
    ofProcess: RoomsOfProcess,
    waitsForList: () => boolean,
  ): Promise<ServedRegistry> {
    const served = new ServedRegistry(placed, shared, ofProcess);
    try {
      served.#backend = await served.#openBackend(placed.config, waitsForList);
      served.#ways = await served.#openWays(placed, served.#backend.value);
    } catch (error) {
      await served.close();
      throw error;
    }
    return served;
  }

  get placed(): PlacedRegistry {
    return this.#placed;
  }

  get registry(): OpenedRegistry['registry'] {
    return this.#backend!.value.registry;
  }

  get whyRefused(): OpenedRegistry['whyRefused'] {
    return this.#backend!.value.whyRefused;
  }

  get ways(): Ways {
    return this.#ways!.value;
  }

  families(): Promise<readonly Family[]> {
    return this.#metrics.families(this.registry);
  }

  /**
   * Goes by other options. `opensAnew`: makes all anew beside what there is; in Redis, and of a mirror with other
   * origins, also the backend, which waits for a list, as only the one before knows the last. Resolves with what closes
   * what was there before.
   */
  async change(placed: PlacedRegistry, opensAnew: boolean): Promise<() => Promise<void>> {
    const [backend, ways] = [this.#backend!, this.#ways!];
    if (!opensAnew) {
      this.#placed = placed;
      return async () => undefined;
    }
    const remakes =
      this.#shared.redis !== undefined || !isDeepStrictEqual(mirrorOf(placed), mirrorOf(this.#placed));
    const hasUdp = this.#placed.config.dpmasterPort !== undefined;
    const nextBackend = remakes ? await this.#openBackend(placed.config, () => !this.#isClosed) : backend;
    try {
      // Two cannot listen on one port of UDP.
      if (hasUdp) await ways.close();
      this.#ways = await this.#openWays(placed, nextBackend.value);
    } catch (error) {
      if (remakes) await nextBackend.close();
      if (hasUdp) this.#ways = await this.#openWays(this.#placed, backend.value);
      throw error;
    }
    this.#placed = placed;
    this.#backend = nextBackend;
    return async () => {
      await ways.close();
      if (remakes) await backend.close();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ways?.close();
    await this.#backend?.close();
  }

  async #openBackend(config: Config, waitsForList: () => boolean): Promise<Opened<OpenedRegistry>> {
    const { redis: link, deadlines, pulse, processes, past, isNamed } = this.#shared;
    const { registry: rules } = roomOptionsOf(config);
    // What is wrong with the folder, the file in it tells.
    if (isNamed && config.dataFile !== undefined)
      await mkdir(dirname(config.dataFile), { recursive: true }).catch(() => undefined);
    return withClosers((closeLater) =>
      openRegistry({
        config,
        // Those in Redis are written into the scripts.
        rules: link === undefined ? { ...rules, quotas: this.#quotasNow() } : rules,
        lifetime: createLifetime(config.ttl * 1000, config.keepId * 1000),
        logger: this.#logger,
        metrics: this.#metrics,
        link,
        processes,
        past,
        deadlines,
        pulse,
        restsAfterMs: isNamed ? RESTS_AFTER_MS : undefined,
        waitsForList,
        closeLater,
      }),
    );
  }

  /** The quotas of the options at each moment. */
  #quotasNow(): Quotas {
    const now = (): Quotas => quotasOf(this.#placed.config);
    return {
      get maxServers() {
        return now().maxServers;
      },
      get maxServersPerAddress() {
        return now().maxServersPerAddress;
      },
      isExempt: (address) => now().isExempt(address),
    };
  }

  #openWays(placed: PlacedRegistry, { registry, redis, whyRefused }: OpenedRegistry): Promise<Opened<Ways>> {
    const { config } = placed;
    const { load, deadlines, turns, ring, stopping, port, opsPort, amongWorkers, isNamed } = this.#shared;
    const { serversOfAll, streamsOfAll, countryOf } = this.#shared;
    const [logger, metrics] = [this.#logger, this.#metrics];
    return withClosers(async (closeLater) => {
      const closing = new AbortController();
      const endStreams = (): void => closing.abort(REPLACED);
      closeLater(async () => endStreams());
      const lifetime = createLifetime(config.ttl * 1000, config.keepId * 1000);
      const context = createServiceContext({
        config,
        options: roomOptionsOf(config, placed.keys, placed.path),
        registry,
        whyRefused,
        lifetime,
        logger,
        metrics,
        guard: guardOf(placed, ring),
        tokenSecrets: () => this.#placed.config.tokenSecrets,
        detailsRule: await openDetailsRule(config.detailsSchema, config.detailsSchemaJson),
        logo: await openPageLogo(config.pageLogo),
        rateLimits: await openRateLimits({ config, lifetime, logger, redis, amongWorkers, deadlines }),
        load,
        turns,
        letIn: serversOfAll && (() => serversOfAll.letIn()),
        streamsOfAll,
        countryOf: registry.origins === undefined ? countryOf : undefined,
        isBelow: isNamed,
        deadlines,
        stopping: AbortSignal.any([stopping, closing.signal]),
      });
      const { beside, atOps } = this.#ofProcess;
      const moderation = registry.origins === undefined ? openModerators(context) : [];
      const ownRooms = openRooms(context, opsPort === undefined ? [...beside, ...moderation] : beside);
      for (const room of ownRooms) if (room.close !== undefined) closeLater(room.close);
      const hasUdp = amongWorkers === undefined || amongWorkers.worker === 1;
      return {
        endStreams,
        path: pathTo(port, context, [...ownRooms, ...(await openOthers(context, { hasUdp, closeLater }))]),
        opsPath:
          opsPort &&
          createPath(opsPort, {
            ...context,
            options: context.options.http,
            routes: new Routes([...atOps, ...moderation].flatMap(({ routes }) => routes)),
            moderatorOf: moderatorsOf(config),
            onAnswered: metrics.requests.onAnswered,
          }),
      };
    });
  }
}

/** The options that the backend of a mirror is made from; undefined for a registry that is no mirror. */
function mirrorOf({ config: { mirrors, mirrorKeys, mirrorKeep, maxStale } }: PlacedRegistry): unknown {
  return mirrors.length === 0 ? undefined : [mirrors, mirrorKeys, mirrorKeep, maxStale];
}
