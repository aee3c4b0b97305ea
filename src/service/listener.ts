/** The public port: what answers its requests, within the limits of the service, and how many connections it has. */

import type { RequestListener, Server } from 'node:http';
import { parsePeer } from '../api/http/client.ts';
import type { Room } from '../api/http/context.ts';
import { shedLoad } from '../api/http/limits/load-shedding.ts';
import { limitRates } from '../api/http/limits/rate-limits.ts';
import { Routes } from '../api/http/routes.ts';
import { limitConnections } from '../api/http/server/connection-limits.ts';
import { createRequestListener } from '../api/http/server/request-listener.ts';
import { openModeration } from '../api/moderation/open-moderation.ts';
import type { ServiceMetrics } from './metrics/create-metrics.ts';
import { createDoubtLog } from './open-rate-limits.ts';
import { createServiceContext, type ServiceContext, type ServiceContextOptions } from './service-context.ts';
import { openRooms } from './rooms.ts';

/** Answers the requests of the public port of a service without an operations port. */
export function createListener(options: ServiceContextOptions): RequestListener {
  const context = createServiceContext(options);
  return listenTo(context, openRooms(context, openModerators(context)));
}

/** The room of moderators, which is on the operations port if there is one. */
export function openModerators(context: ServiceContext): Room {
  return openModeration({ ...context, options: context.options.moderation });
}

/** Answers the requests of the public port. */
export function listenTo(context: ServiceContext, rooms: readonly Room[]): RequestListener {
  const { config, options, logger, metrics, rateLimits, load } = context;
  const routes = rooms.flatMap((room) => room.routes);
  const limited = limitRates(routes, rateLimits, {
    onDoubt: createDoubtLog(logger),
    onLimited: metrics.requests.onLimited,
  });
  return createRequestListener({
    ...context,
    ...answerEvents(metrics),
    options: options.http,
    routes: new Routes(load === undefined ? limited : shedLoad(limited, load)),
    maxWaitingBytes: config.maxWaiting,
    onWaiting: metrics.answers.onWaiting,
  });
}

export function answerEvents({
  answers,
  requests,
}: ServiceMetrics): Pick<Parameters<typeof createRequestListener>[0], 'onCutOff' | 'onAnswered'> {
  return { onCutOff: ({ reason }) => answers.onCutOff(reason), onAnswered: requests.onAnswered };
}

/** Limits the connections of the public port. */
export function connectionLimits({
  config,
  logger,
  metrics,
  maskAddress,
}: ServiceContext): (server: Server) => void {
  const { trustProxy } = config;
  return (server) =>
    limitConnections(server, {
      most: config.maxConnections,
      mostPerAddress: config.maxConnectionsPerAddress,
      isExempt: (ip) => trustProxy?.has(ip) ?? false,
      onClosed(limit, remoteAddress) {
        metrics.connections.onClosed(limit);
        logger.debug(
          { limit, remoteAddress: maskAddress(parsePeer(remoteAddress)) },
          'a connection too many was closed',
        );
      },
    });
}
