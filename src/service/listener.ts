/** The public port, and the way that requests to a registry go there, within its limits. */

import type { Server } from 'node:http';
import { peerOf } from '../api/http/client.ts';
import type { Room } from '../api/http/context.ts';
import type { Path } from '../api/http/exchange.ts';
import { shedLoad } from '../api/http/limits/load-shedding.ts';
import { limitRates } from '../api/http/limits/rate-limits.ts';
import { Routes } from '../api/http/routes.ts';
import { limitConnections } from '../api/http/server/connection-limits.ts';
import type { ProxyProtocolOptions } from '../api/http/server/proxy-protocol.ts';
import { createPath, createPort, type Port, type WayOptions } from '../api/http/server/request-listener.ts';
import { moderatorIn } from '../api/moderation/moderator-header.ts';
import { openModeration } from '../api/moderation/open-moderation.ts';
import { openDesk } from '../page/served/open-desk.ts';
import { createAddressMask } from '../model/net/address-mask.ts';
import type { Logger } from '../runtime/log/logger.ts';
import type { Config } from './config/config.ts';
import type { ProcessMetrics } from './metrics/create-metrics.ts';
import { createDoubtLog } from './open-rate-limits.ts';
import type { ServiceContext } from './service-context.ts';

/** The rooms of moderators, which are on the operations port if there is one; none if nobody may moderate. */
export function openModerators(context: ServiceContext): readonly Room[] {
  const { options, said } = context;
  if (said === undefined) return [];
  return [
    openModeration({ ...context, options: options.moderation, said }),
    openDesk({ ...context, options: options.desk }),
  ];
}

/** Finds the moderator whom a proxy has signed in, by the header that it sends; undefined if none is to be believed. */
export function moderatorsOf({
  moderatorHeader: header,
  moderatorProxies: proxies,
}: Config): WayOptions['moderatorOf'] {
  if (header === undefined || proxies === undefined) return undefined;
  const name = header.toLowerCase();
  return ({ headers, socket }) => {
    const peer = peerOf(socket);
    return peer !== undefined && proxies.has(peer) ? moderatorIn(headers[name]) : undefined;
  };
}

export function createPublicPort(config: Config, logger: Logger, { answers }: ProcessMetrics): Port {
  return createPort({
    ...portOptionsOf(config, logger),
    maxWaitingBytes: config.maxWaiting,
    onWaiting: answers.onWaiting,
    onCutOff: ({ reason }) => answers.onCutOff(reason),
  });
}

/** What all ports of a process have in common. */
export function portOptionsOf(config: Config, logger: Logger) {
  return {
    clients: { trustedProxies: config.trustProxy, header: config.clientAddressHeader },
    maskAddress: createAddressMask(config.logAddresses),
    logger,
  };
}

/** The way that requests to a registry go at the public port. */
export function pathTo(port: Port, context: ServiceContext, rooms: readonly Room[]): Path {
  const { options, logger, metrics, rateLimits, load } = context;
  const routes = rooms.flatMap((room) => room.routes);
  const limited = limitRates(routes, rateLimits, {
    onDoubt: createDoubtLog(logger),
    onLimited: metrics.requests.onLimited,
  });
  return createPath(port, {
    ...context,
    options: options.http,
    routes: new Routes(load === undefined ? limited : shedLoad(limited, load)),
    onAnswered: metrics.requests.onAnswered,
  });
}

/** The proxies that name their clients at the beginning of a connection; undefined if none does. */
export function proxyProtocolOf(config: Config, logger: Logger): ProxyProtocolOptions | undefined {
  const { proxyProtocol, trustProxy: proxies } = config;
  if (!proxyProtocol || proxies === undefined) return undefined;
  const maskAddress = createAddressMask(config.logAddresses);
  let isLogged = false;
  return {
    proxies,
    onRefused(proxy) {
      if (isLogged) return;
      isLogged = true;
      logger.warn(
        { address: maskAddress(proxy) },
        'a trusted proxy opens connections without a PROXY header of version 2, and they are refused: let it send one, or start without --proxy-protocol',
      );
    },
  };
}

/** Limits the connections of the public port. */
export function connectionLimits(
  config: Config,
  logger: Logger,
  { connections }: ProcessMetrics,
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
          { limit, remoteAddress: maskAddress(remoteAddress) },
          'a connection too many was closed',
        );
      },
    });
}
