/**
 * Load shedding and the limits of connections as the configuration asks for them, with what the log and the metrics say
 * of them. Part of the composition root.
 */

import type { Config } from '../config/config.ts';
import type { ConnectionLimitsOptions } from '../http/connection-limits.ts';
import { peerAddress } from '../http/client.ts';
import { LoadWatch } from '../http/load-shedding.ts';
import type { Logger } from '../log/logger.ts';
import { createAddressMask } from '../registry/address-mask.ts';
import type { ServiceMetrics } from './metrics/create-metrics.ts';

/** A replica that is overloaded again and again says so no more often. */
const LOG_INTERVAL_MS = 60_000;

export function createLoadWatch(logger: Logger, { load }: Pick<ServiceMetrics, 'load'>): LoadWatch {
  let loggedAt = -Infinity;
  return new LoadWatch({
    onDelay: load.onDelay,
    onChange(shed, delayMs) {
      load.onShed(shed);
      if (shed.length === 0 || performance.now() < loggedAt + LOG_INTERVAL_MS) return;
      loggedAt = performance.now();
      logger.warn(
        { shed, delayMs: Math.round(delayMs) },
        'this replica has more to do than it can, and refuses some requests: start more replicas, or find out who asks so much',
      );
    },
  });
}

export function createConnectionLimits(
  config: Config,
  logger: Logger,
  { connections }: Pick<ServiceMetrics, 'connections'>,
): ConnectionLimitsOptions {
  const { trustProxy } = config;
  const maskAddress = createAddressMask(config.logAddresses);
  return {
    most: config.maxConnections,
    mostPerAddress: config.maxConnectionsPerAddress,
    isExempt: (ip) => trustProxy?.has(ip) ?? false,
    onClosed(limit, remoteAddress) {
      connections.onClosed(limit);
      logger.debug(
        { limit, remoteAddress: maskAddress(peerAddress(remoteAddress)) },
        'a connection too many was closed',
      );
    },
  };
}
