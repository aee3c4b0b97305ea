/** Limits that count in one process, divided among the workers of a service. */

import type { Config } from '../config/config.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** What one of several workers serves: its part of each limit, rounded up, so that each has at least 1. */
export function shareLimits(deployment: Deployment, workers: number): Deployment {
  const { config, registries } = deployment;
  return {
    ...deployment,
    config: sharesOf(config, workers),
    registries: registries.map((placed) => ({ ...placed, config: sharesOf(placed.config, workers) })),
  };
}

function sharesOf(config: Config, workers: number): Config {
  const share = (limit: number): number => Math.ceil(limit / workers);
  const {
    totalStreams,
    maxWaiting,
    maxConnections,
    maxConnectionsPerAddress,
    maxStreams,
    maxStreamsPerAddress,
  } = config;
  return {
    ...config,
    maxWaiting: share(maxWaiting),
    maxConnections: maxConnections && share(maxConnections),
    maxConnectionsPerAddress: maxConnectionsPerAddress && share(maxConnectionsPerAddress),
    totalStreams: totalStreams && share(totalStreams),
    maxStreams: share(maxStreams),
    maxStreamsPerAddress: share(maxStreamsPerAddress),
  };
}
