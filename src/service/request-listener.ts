/**
 * Answers the requests of one port by its table of routes: the fast path, and the Koa path behind it. Part of the
 * composition root. Knows nothing of what the routes are.
 */

import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import { AnswersInFlight, type AnswersInFlightOptions } from '../http/server/answers-in-flight.ts';
import { createKoaPath } from '../http/app.ts';
import type { Guard } from '../http/auth.ts';
import { createClients, parsePeer } from '../http/client.ts';
import { createCors } from '../http/cors.ts';
import { createSiteCheck } from '../http/checks/cross-site.ts';
import type { ErrorLog } from '../http/error-log.ts';
import { beginExchange, type Exchange, type Path } from '../http/exchange.ts';
import { createFastPath } from '../http/fast-path.ts';
import type { Pace } from '../http/server/pace.ts';
import { createRequestLog } from '../http/request-log.ts';
import type { Routes } from '../http/routes.ts';
import { createSend } from '../http/send.ts';
import type { Logger } from '../log/logger.ts';
import { createAddressMask } from '../registry/address-mask.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type { ServiceMetrics } from './metrics/create-metrics.ts';

export interface RequestListenerOptions extends Pick<
  AnswersInFlightOptions,
  'maxWaitingBytes' | 'maxPipelined' | 'onWaiting'
> {
  readonly routes: Routes;
  readonly config: Config;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly metrics: Pick<ServiceMetrics, 'answers' | 'requests'>;
  readonly logError: ErrorLog;
  readonly guard: Guard;
  /** When a request gets its turn; at once if it is left out. */
  readonly pace?: Pace;
  /** The client at this address was cut off. */
  readonly onCutOff?: (remoteAddress: string | undefined) => void;
}

export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { routes, config, lifetime, logger, metrics, logError, guard, pace } = options;
  const { maxWaitingBytes, maxPipelined, onWaiting } = options;
  const maskAddress = createAddressMask(config.logAddresses);
  const inFlight = new AnswersInFlight({
    maxWaitingBytes,
    ...(maxPipelined !== undefined && { maxPipelined }),
    ...(onWaiting && { onWaiting }),
    onCutOff(cutOff) {
      options.onCutOff?.(cutOff.remoteAddress);
      metrics.answers.onCutOff(cutOff.reason);
      const remoteAddress = maskAddress(parsePeer(cutOff.remoteAddress));
      logger.debug({ ...cutOff, remoteAddress }, 'a reader was cut off');
    },
  });
  const clientOf = createClients({ trustedProxies: config.trustProxy, header: config.clientAddressHeader });
  const logAnswered = createRequestLog({ logger, maskAddress });
  const isLogged = config.logLevel === 'debug' || config.logLevel === 'trace';
  const appOptions = {
    routes,
    guard,
    checkSite: createSiteCheck(config.corsWriteOrigin),
    cors: createCors({ reading: config.corsOrigin, writing: config.corsWriteOrigin }),
    maxBodyBytes: config.maxBody,
    longestRetryAfterS: Math.floor(lifetime.pingIntervalMs / 1000),
    logger,
    logError,
    send: createSend(inFlight, (answered) => {
      metrics.requests.onAnswered(answered);
      if (isLogged) logAnswered(answered);
    }),
  };
  const fastPath = createFastPath(appOptions, createKoaPath(appOptions));
  return (request, response) => {
    const client = clientOf(request);
    // The peer is gone, and what it has sent would count as nobody's.
    if (client === undefined) {
      request.socket.destroy();
      return;
    }
    if (!inFlight.admit(response)) return;
    const exchange = beginExchange(request, response, client);
    if (pace === undefined) fastPath(exchange);
    else inTurn(exchange, pace, fastPath);
  };
}

/** A connection has one request at a time in the queue, so that one that sends many ahead does not keep others waiting. */
function inTurn(exchange: Exchange, pace: Pace, path: Path): void {
  const { request, response } = exchange;
  const queue = (): void =>
    pace.run(() => {
      if (request.socket.destroyed) return false;
      path(exchange);
      return true;
    });
  // Without a socket the response has to wait for earlier ones of the connection.
  if (response.socket === null) response.once('socket', queue);
  else queue();
}
