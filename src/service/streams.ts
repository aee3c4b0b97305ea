/**
 * The live feed as the configuration asks for it, with what the log and the metrics say of it. Part of the composition
 * root.
 */

import type { Config } from '../config/config.ts';
import type { Deadlines } from '../deadlines.ts';
import type { Turns } from '../work/turns.ts';
import { parsePeer } from '../http/client.ts';
import { Streams } from '../feed/streams.ts';
import type { Logger } from '../log/logger.ts';
import { createAddressMask } from '../registry/address-mask.ts';
import type { Registry } from '../registry/registry.ts';
import type { ServiceMetrics } from './metrics/create-metrics.ts';

export interface CreateStreamsOptions {
  readonly config: Config;
  readonly registry: Registry;
  readonly turns: Turns;
  readonly logger: Logger;
  readonly metrics: Pick<ServiceMetrics, 'streams'>;
  readonly deadlines: Pick<Deadlines, 'streamMs'>;
  /** Aborted once the replica is to stop. */
  readonly stopping: AbortSignal | undefined;
}

export function createStreams({
  config,
  registry,
  turns,
  logger,
  metrics,
  deadlines,
  stopping,
}: CreateStreamsOptions): Streams {
  const maskAddress = createAddressMask(config.logAddresses);
  return new Streams({
    registry,
    turns,
    most: config.maxStreams,
    mostPerAddress: config.maxStreamsPerAddress,
    intervalMs: config.feedInterval,
    maxWaitingBytes: config.maxWaiting,
    lifeMs: deadlines.streamMs,
    stopping,
    events: {
      ...metrics.streams,
      onCutOff(reason, remoteAddress) {
        metrics.streams.onCutOff(reason);
        logger.debug(
          { reason, remoteAddress: maskAddress(parsePeer(remoteAddress)) },
          'a stream was cut off',
        );
      },
      onError: (error) => logger.error({ err: error }, 'the streams failed unexpectedly'),
    },
  });
}
