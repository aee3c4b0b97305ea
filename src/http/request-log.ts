/** A line for every answered request, at level debug. */

import type { Logger } from '../log/logger.ts';
import type { Answered } from './exchange.ts';

export interface RequestLogOptions {
  readonly logger: Logger;
  /** The address as it may be logged, undefined if it may not. */
  readonly maskAddress: (address: string) => string | undefined;
}

/** The line names the route instead of the path, which may hold a join code. */
export function createRequestLog({ logger, maskAddress }: RequestLogOptions) {
  return ({ exchange, route, status, code, bytes, durationMs }: Answered): void => {
    const { request, requestId, client } = exchange;
    logger.debug(
      {
        method: request.method,
        route,
        status,
        ...(code !== undefined && { code }),
        ms: Math.round(durationMs * 1000) / 1000,
        bytes,
        address: maskAddress(client.address),
        requestId,
      },
      'a request was answered',
    );
  };
}
