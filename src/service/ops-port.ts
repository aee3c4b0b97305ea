/**
 * The operations port: a server of its own for operators and what watches the service for them. It has its own limits, so
 * no client of it can slow the public port. Part of the composition root.
 */

import type { Config } from '../config/config.ts';
import type { Guard } from '../http/auth.ts';
import type { ErrorLog } from '../http/error-log.ts';
import { createOpsEndpoints } from '../http/ops.ts';
import type { RefusalRecord } from '../http/refusal-record.ts';
import { createOpsRoutes } from '../http/routes.ts';
import { startHttpServer, type HttpServer } from '../http/server.ts';
import type { Logger } from '../log/logger.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type { Registry } from '../registry/registry.ts';
import { createAdmin } from './admin.ts';
import type { ServiceMetrics } from './metrics/create-metrics.ts';
import { createRequestListener } from './request-listener.ts';

export interface OpsPortOptions {
  readonly config: Config;
  readonly port: number;
  readonly registry: Registry;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly logError: ErrorLog;
  readonly refusals: RefusalRecord;
  readonly guard: Guard;
  readonly describeConfig: () => object;
  readonly stopping: AbortSignal;
}

/** The operations port cannot listen. The cause is Node's error. */
export class OpsPortError extends Error {}

/** Enough for a Prometheus, the probes and some moderators. */
const MOST_CONNECTIONS = 64;
/** The memory that answers may take while they wait for slow readers; the longest answer is one of /admin/servers. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Rejects with an OpsPortError when it cannot listen on the address. */
export function startOpsPort(options: OpsPortOptions): Promise<HttpServer> {
  const { config, port, logger, logError, stopping } = options;
  return startHttpServer({
    listener: createRequestListener({
      ...options,
      routes: createOpsRoutes(createOpsEndpoints(options), createAdmin(options)),
      maxWaitingBytes: MAX_WAITING_BYTES,
    }),
    connectionLimits: {
      most: MOST_CONNECTIONS,
      mostPerAddress: undefined,
      isExempt: () => true,
      onClosed: () => logger.debug({}, 'a connection too many to the operations port was closed'),
    },
    host: config.opsHost,
    port,
    stopping,
    logError,
  }).catch((error: unknown) => {
    throw new OpsPortError((error as Error).message, { cause: error });
  });
}
