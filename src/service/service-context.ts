/** The context of a service: its configuration, its registry, and all that its rooms and ports share. */

import { hash } from 'node:crypto';
import type { Picture } from '../page/served/picture.ts';
import type { Config } from './config/config.ts';
import { DEADLINES, type Deadlines } from '../runtime/deadlines.ts';
import type { Context } from '../api/http/context.ts';
import { CurrentList } from '../api/http/current-list.ts';
import { createErrorLog, type ErrorLog } from '../api/http/error-log.ts';
import { Guard } from '../api/http/guard.ts';
import { KeyRing, keysOfFlags } from '../api/http/key-ring.ts';
import type { StreamsOfAll } from '../api/changes/stream-limits.ts';
import type { LoadWatch } from '../api/http/limits/load-shedding.ts';
import type { RateLimits } from '../api/http/limits/rate-limits.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { RefusalRecord } from '../api/moderation/refusal-record.ts';
import { SaidRecord } from '../api/moderation/said-record.ts';
import { openTokens } from '../api/writes/open-tokens.ts';
import type { ServerTokens } from '../api/writes/server-token.ts';
import { createAddressMask, createTextMask } from '../model/net/address-mask.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type { Backend } from '../registry/backend.ts';
import { Turns } from '../api/work/turns.ts';
import type { DetailsRule } from '../api/writes/validation.ts';
import { createMetrics, type ServiceMetrics } from './metrics/create-metrics.ts';
import { roomOptionsOf, type RoomOptions } from './room-options.ts';
import { createWrongKeyLog } from './wrong-key-log.ts';

export interface ServiceContextOptions {
  readonly config: Config;
  /** Made from the configuration, by default. */
  readonly options?: RoomOptions;
  readonly registry: Backend;
  readonly whyRefused?: Context['whyRefused'];
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly metrics?: ServiceMetrics;
  readonly guard?: Guard;
  /** The token secrets of the operator, if there are any. */
  readonly tokenSecrets?: () => readonly string[];
  readonly rateLimits?: RateLimits;
  readonly detailsRule?: DetailsRule | undefined;
  /** The logo of the page. */
  readonly logo?: Picture | undefined;
  /** The folder of the page's files; undefined for the one that the build writes. */
  readonly pageFolder?: URL | undefined;
  readonly load?: Pick<LoadWatch, 'sheds'> | undefined;
  /** The turns that all work of this process shares. */
  readonly turns?: Turns;
  readonly letIn?: Context['letIn'];
  readonly countryOf?: Context['countryOf'];
  /** The streams of all registries of the process. */
  readonly streamsOfAll?: StreamsOfAll;
  /** Whether its requests come below a path, or at a host, of several. Default: no, at the root of the service. */
  readonly isBelow?: boolean;
  readonly deadlines?: Pick<Deadlines, 'streamMs' | 'workWaitMs'>;
  /** Aborted once the replica is to stop. */
  readonly stopping?: AbortSignal;
  /** ms since the epoch. Defaults to the clock of the system. */
  readonly now?: () => number;
}

/** The context that rooms and ports are opened with. */
export type ServiceContext = Context &
  Required<
    Pick<
      ServiceContextOptions,
      'config' | 'options' | 'metrics' | 'guard' | 'rateLimits' | 'isBelow' | 'streamsOfAll'
    >
  > &
  Pick<ServiceContextOptions, 'detailsRule' | 'logo' | 'pageFolder' | 'load'> & {
    readonly tokens: ServerTokens;
    readonly refusals: RefusalRecord;
    readonly said: SaidRecord | undefined;
    /** The end of every cursor, by which the cursors of one registry are told from those of another. */
    readonly cursorMark: string;
    readonly logError: ErrorLog;
  };

export function createServiceContext({
  metrics = createMetrics(),
  deadlines = DEADLINES,
  now = Date.now,
  isBelow = false,
  tokenSecrets,
  ...options
}: ServiceContextOptions): ServiceContext {
  const { config, registry, logger, stopping } = options;
  const { registry: name, publicRead } = config;
  const { guard = new Guard({ ring: new KeyRing(keysOfFlags(config)), registry: name, publicRead }) } =
    options;
  const isPrivate = guard.needsKey('read');
  const maskAddress = createAddressMask(config.logAddresses);
  const refusals = new RefusalRecord(now);
  const { options: roomOptions = roomOptionsOf(config) } = options;
  return {
    rateLimits: {},
    whyRefused: () => undefined,
    turns: new Turns({ events: metrics.ofProcess.work, mostWaitMs: deadlines.workWaitMs }),
    streamsOfAll: { most: Infinity, open: 0 },
    ...options,
    options: roomOptions,
    isBelow,
    guard,
    metrics,
    deadlines,
    stopping,
    isPrivate,
    maskAddress,
    tokens: openTokens({
      registryName: name,
      registry,
      tokenSecrets: tokenSecrets ?? (() => config.tokenSecrets),
    }),
    refusals,
    said: roomOptions.moderation.isOpen ? new SaidRecord(now) : undefined,
    cursorMark: isBelow ? markOf(config.registry) : '',
    now,
    currentList: new CurrentList({
      registry,
      maxStaleMs: config.maxStale * 1000,
      listMaxAgeMs: config.listMaxAge,
      isPrivate,
      now,
    }),
    logError: createErrorLog({
      logger,
      onRefused(code, ...about) {
        metrics.requests.onRefused(code);
        refusals.note(code, ...about);
      },
      onWrongKey: createWrongKeyLog(logger),
      maskAddress,
      maskText: createTextMask(config.logAddresses),
    }),
  };
}

/** A mark of the registry that no other has, but by a rare chance. */
function markOf(registryName: string): string {
  return `.${hash('sha256', registryName, 'base64url').slice(0, 8)}`;
}
