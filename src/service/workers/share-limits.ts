/** Limits that count in one process, divided among the workers of a service. */

import type { Config } from '../config/config.ts';

/** The configuration of one of several workers: its part of each limit, rounded up, so that each has at least 1. */
export function shareLimits(config: Config, workers: number): Config {
  const share = (limit: number): number => Math.ceil(limit / workers);
  const { maxWaiting, maxConnections, maxConnectionsPerAddress, maxStreams, maxStreamsPerAddress } = config;
  return {
    ...config,
    maxWaiting: share(maxWaiting),
    maxConnections: maxConnections && share(maxConnections),
    maxConnectionsPerAddress: maxConnectionsPerAddress && share(maxConnectionsPerAddress),
    maxStreams: share(maxStreams),
    maxStreamsPerAddress: share(maxStreamsPerAddress),
  };
}
