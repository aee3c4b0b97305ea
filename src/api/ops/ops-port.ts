/**
 * The operations port: a server of its own for operators and what watches the service for them. It has its own limits,
 * so no client of it can slow the public port.
 *
 * It is in the same process, since a probe is to tell that this very event loop answers.
 */

import type { Pulse } from '../../runtime/pulse.ts';
import type { Guard } from '../http/auth.ts';
import type { Room } from '../http/context.ts';
import { Routes } from '../http/routes.ts';
import { limitConnections } from '../http/server/connection-limits.ts';
import { createRequestListener, type RequestListenerOptions } from '../http/server/request-listener.ts';
import { startHttpServer, type HttpServer } from '../http/server/server.ts';
import { openOps, type ProbesContext } from './open-ops.ts';

export interface OpsPortOptions
  extends ProbesContext, Omit<RequestListenerOptions, 'routes' | 'maxWaitingBytes' | 'onWaiting'> {
  readonly host: string;
  readonly port: number;
  /** The room of moderators, which is on this port too. */
  readonly moderation: Room;
  readonly guard: Guard;
  readonly stopping: AbortSignal;
  readonly pulse: Pulse;
}

/** The operations port cannot listen. The cause is Node's error. */
export class OpsPortError extends Error {}

/** One address has enough for a Prometheus, the probes and some moderators, and leaves most to others. */
const MOST_CONNECTIONS = 256;
const MOST_CONNECTIONS_PER_ADDRESS = 64;
/** The memory that answers may take while they wait for slow readers; the longest answer is one of /admin/servers. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Rejects with an OpsPortError when it cannot listen on the address. */
export function startOpsPort(options: OpsPortOptions): Promise<HttpServer> {
  const { host, port, moderation, logError, stopping, pulse } = options;
  const ops = openOps(options);
  return startHttpServer({
    listener: createRequestListener({
      ...options,
      routes: new Routes([...ops.routes, ...moderation.routes]),
      maxWaitingBytes: MAX_WAITING_BYTES,
    }),
    limitConnections: (server) =>
      limitConnections(server, {
        most: MOST_CONNECTIONS,
        mostPerAddress: MOST_CONNECTIONS_PER_ADDRESS,
        isExempt: () => false,
        onClosed: () => undefined,
      }),
    host,
    port,
    stopping,
    logError,
    pulse,
  }).catch((error: unknown) => {
    throw new OpsPortError((error as Error).message, { cause: error });
  });
}
