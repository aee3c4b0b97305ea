/**
 * Load shedding and the limits of connections as the configuration asks for them, with what the log and the metrics say
 * of them. Part of the composition root.
 */

import type { Server } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Deadlines } from '../deadlines.ts';
import { limitConnections } from '../http/server/connection-limits.ts';
import { parsePeer } from '../http/client.ts';
import { LoadWatch } from '../http/limits/load-shedding.ts';
import type { Logger } from '../log/logger.ts';
import { createAddressMask } from '../registry/address-mask.ts';
import type { ServiceMetrics } from './metrics/create-metrics.ts';

/** A replica that is overloaded again and again says so no more often. */
const LOG_INTERVAL_MS = 60_000;

/** `now`: ms of a clock that cannot be set. */
export function createLoadWatch(
  logger: Logger,
  { load }: Pick<ServiceMetrics, 'load'>,
  deadlines: Deadlines,
  now = (): number => performance.now(),
): LoadWatch {
  let loggedAt = -Infinity;
  /** Whether the end of the load shedding is still to be told. */
  let isUntold = false;
  return new LoadWatch({
    now,
    deadlines,
    onDelay: load.onDelay,
    onChange(shed, delayMs) {
      load.onShed(shed);
      if (shed.length === 0) {
        const shedMs = Math.round(now() - loggedAt);
        if (isUntold) logger.info({ shedMs }, 'this replica takes all requests again');
        isUntold = false;
        return;
      }
      if (now() < loggedAt + LOG_INTERVAL_MS) return;
      loggedAt = now();
      isUntold = true;
      logger.warn(
        { shed, delayMs: Math.round(delayMs) },
        'this replica has more to do than it can, and refuses some requests: start more replicas, or find out who asks so much',
      );
    },
  });
}

/** Limits the connections of the public port. */
export function createConnectionLimits(
  config: Config,
  logger: Logger,
  { connections }: Pick<ServiceMetrics, 'connections'>,
): (server: Server) => void {
  const { trustProxy } = config;
  const maskAddress = createAddressMask(config.logAddresses);
  return (server) =>
    limitConnections(server, {
      most: config.maxConnections,
      mostPerAddress: config.maxConnectionsPerAddress,
      isExempt: (ip) => trustProxy?.has(ip) ?? false,
      onClosed(limit, remoteAddress) {
        connections.onClosed(limit);
        logger.debug(
          { limit, remoteAddress: maskAddress(parsePeer(remoteAddress)) },
          'a connection too many was closed',
        );
      },
    });
}
