/** Answers the requests of one port by its table of routes: on the fast path, or on the Koa path behind it. */

import type { RequestListener } from 'node:http';
import { AnswersInFlight, type AnswersInFlightOptions, type CutOff } from './answers-in-flight.ts';
import type { Guard } from '../auth.ts';
import { createClients, parsePeer } from '../client.ts';
import { createCors } from '../cors.ts';
import { createSiteCheck } from '../checks/cross-site.ts';
import type { ErrorLog } from '../error-log.ts';
import { beginExchange, type Answered, type Exchange, type Path } from '../exchange.ts';
import { createFastPath, createHandle } from '../handle.ts';
import type { Routes } from '../routes.ts';
import { createSend } from './send.ts';
import type { Logger } from '../../../runtime/log/logger.ts';
import type { AddressMask } from '../../../model/net/address-mask.ts';
import type { Lifetime } from '../../../registry/lifetime.ts';
import { once } from '../../work/once.ts';

/** How the requests of a port are taken. */
export interface HttpOptions {
  /** The proxies that say who the client is, and the header in which they do. */
  readonly clients: Parameters<typeof createClients>[0];
  /** The origins of the pages that may read, and of those that may write. */
  readonly cors: Parameters<typeof createCors>[0];
  readonly maxBodyBytes: number;
  /** Whether each answer has a line in the log, at level debug. */
  readonly logsAnswers: boolean;
}

export interface RequestListenerOptions extends Pick<
  AnswersInFlightOptions,
  'maxWaitingBytes' | 'onWaiting'
> {
  readonly routes: Routes;
  readonly options: HttpOptions;
  /** An address of a client as far as it may be logged. */
  readonly maskAddress: AddressMask;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly logError: ErrorLog;
  readonly guard: Guard;
  readonly onCutOff: (cutOff: CutOff) => void;
  readonly onAnswered: (answered: Answered) => void;
}

/** Loads the Koa path, for the first exchange that needs it or for a caller that wants it earlier. */
export const loadKoaPath = () => import('../koa/koa-path.ts');

export function createRequestListener(listening: RequestListenerOptions): RequestListener {
  const { routes, options, maskAddress, lifetime, logger, logError, guard, onAnswered } = listening;
  const { maxWaitingBytes, onWaiting } = listening;
  const inFlight = new AnswersInFlight({
    maxWaitingBytes,
    ...(onWaiting && { onWaiting }),
    onCutOff(cutOff) {
      listening.onCutOff(cutOff);
      const remoteAddress = maskAddress(parsePeer(cutOff.remoteAddress));
      logger.debug({ ...cutOff, remoteAddress }, 'a reader was cut off');
    },
  });
  const clientOf = createClients(options.clients);
  /** Logs the route instead of the path, which may hold a join code. */
  const logAnswered = ({ exchange, route, status, code, bytes, durationMs }: Answered): void =>
    logger.debug(
      {
        method: exchange.request.method,
        route,
        status,
        ...(code !== undefined && { code }),
        ms: Math.round(durationMs * 1000) / 1000,
        bytes,
        address: maskAddress(exchange.client.address),
        requestId: exchange.requestId,
      },
      'a request was answered',
    );
  const handling = {
    routes,
    guard,
    checkSite: createSiteCheck(options.cors.writing),
    cors: createCors(options.cors),
    maxBodyBytes: options.maxBodyBytes,
    longestRetryAfterS: Math.floor(lifetime.pingIntervalMs / 1000),
    logError,
    send: createSend(inFlight, (answered) => {
      onAnswered(answered);
      if (options.logsAnswers) logAnswered(answered);
    }),
  };
  const handle = createHandle(handling);
  const koaPath = loadedPath(async () => {
    const { createKoaPath } = await loadKoaPath();
    return createKoaPath({ ...handling, handle, logger });
  });
  const fastPath = createFastPath(handling, handle, koaPath);
  return (request, response) => {
    const client = clientOf(request);
    // The peer is gone, and its request would belong to no client.
    if (client === undefined) {
      request.socket.destroy();
      return;
    }
    if (!inFlight.admit(response)) return;
    fastPath(beginExchange(request, response, client));
  };
}

/** Loads the path for the first exchange that needs it, which waits: in many services none ever does. */
function loadedPath(load: () => Promise<Path>): Path {
  const loading = once(load);
  let loaded: Path | undefined;
  const afterLoading = async (exchange: Exchange): Promise<void> => {
    loaded = await loading();
    if (!exchange.request.socket.destroyed) loaded(exchange);
  };
  return (exchange) => (loaded === undefined ? void afterLoading(exchange) : loaded(exchange));
}
