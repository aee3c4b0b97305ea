/**
 * A port that takes requests, and the ways that they go: each registry, and the process itself, has its own, with a
 * table of routes, on the fast path, or on the Koa path behind it.
 */

import type { IncomingMessage, RequestListener } from 'node:http';
import { AnswersInFlight, type AnswersInFlightOptions, type CutOff } from './answers-in-flight.ts';
import type { Guard } from '../guard.ts';
import { createClients } from '../client.ts';
import { createCors } from '../cors.ts';
import { createSiteCheck } from '../checks/cross-site.ts';
import type { ErrorLog } from '../error-log.ts';
import { beginExchange, type Answered, type Exchange, type Path } from '../exchange.ts';
import { createFastPath, createHandle, type HandleOptions } from '../handle.ts';
import type { Routes } from '../routes.ts';
import { traceOf } from '../trace-context.ts';
import { createSend } from './send.ts';
import type { Logger } from '../../../runtime/log/logger.ts';
import type { AddressMask } from '../../../model/net/address-mask.ts';
import type { Lifetime } from '../../../registry/lifetime.ts';
import { once } from '../../work/once.ts';

export interface PortOptions extends Pick<AnswersInFlightOptions, 'maxWaitingBytes' | 'onWaiting'> {
  /** The proxies that say who the client is, and the header in which they do. */
  readonly clients: Parameters<typeof createClients>[0];
  /** An address of a client as far as it may be logged. */
  readonly maskAddress: AddressMask;
  readonly logger: Logger;
  readonly onCutOff?: (cutOff: CutOff) => void;
}

export interface Port {
  /** The answers that its readers have not taken yet. */
  readonly inFlight: AnswersInFlight;
  /** Takes requests. `pathFor` finds the way that a request goes. */
  listen(pathFor: (request: IncomingMessage) => Path): RequestListener;
}

export function createPort({ clients, maskAddress, logger, onCutOff, ...waiting }: PortOptions): Port {
  const inFlight = new AnswersInFlight({
    ...waiting,
    onCutOff(cutOff) {
      onCutOff?.(cutOff);
      const remoteAddress = maskAddress(cutOff.remoteAddress);
      logger.debug({ ...cutOff, remoteAddress }, 'a reader was cut off');
    },
  });
  const clientOf = createClients(clients);
  return {
    inFlight,
    listen: (pathFor) => (request, response) => {
      const client = clientOf(request);
      // The peer is gone, and its request would belong to no client.
      if (client === undefined) {
        request.socket.destroy();
        return;
      }
      if (inFlight.admit(response)) pathFor(request)(beginExchange(request, response, client));
    },
  };
}

/** How requests are answered. */
export interface HttpOptions {
  /** The origins of the pages that may read, and of those that may write. */
  readonly cors: Parameters<typeof createCors>[0];
  readonly maxBodyBytes: number;
  /** Whether each answer has a line in the log, at level debug. */
  readonly logsAnswers: boolean;
}

export interface WayOptions extends Pick<HandleOptions, 'moderatorOf' | 'otherwise'> {
  readonly routes: Routes;
  readonly options: HttpOptions;
  /** An address of a client as far as it may be logged. */
  readonly maskAddress: AddressMask;
  readonly lifetime: Pick<Lifetime, 'pingIntervalMs'>;
  readonly logger: Logger;
  readonly logError: ErrorLog;
  readonly guard: Guard;
  readonly onAnswered: (answered: Answered) => void;
}

/** Loads the Koa path, for the first exchange that needs it or for a caller that wants it earlier. */
export const loadKoaPath = () => import('../koa/koa-path.ts');

/** The way of the requests that one table of routes answers. */
export function createPath({ inFlight }: Pick<Port, 'inFlight'>, asked: WayOptions): Path {
  const { routes, options, maskAddress, lifetime, logger, logError, guard, onAnswered } = asked;
  /** Logs the route instead of the path, which may hold a join code. */
  const logAnswered = ({ exchange, route, status, code, bytes, durationMs }: Answered): void =>
    logger.debug(
      {
        method: exchange.request.method,
        route,
        status,
        ...(code !== undefined && { code }),
        ...(exchange.key !== undefined && { key: exchange.key }),
        ms: Math.round(durationMs * 1000) / 1000,
        bytes,
        address: maskAddress(exchange.client.address),
        requestId: exchange.requestId,
        ...traceOf(exchange.request.headers),
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
    moderatorOf: asked.moderatorOf,
    otherwise: asked.otherwise,
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
  return createFastPath(handling, handle, koaPath);
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
