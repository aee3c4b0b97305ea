/**
 * The operations port: a server of its own for operators and what watches the service for them. It has its own limits,
 * so no client of it can slow the public port.
 *
 * It is in the same process, since a probe is to tell that this very event loop answers.
 */

import type { IncomingMessage } from 'node:http';
import type { Pulse } from '../../runtime/pulse.ts';
import type { ErrorLog } from '../http/error-log.ts';
import type { Path } from '../http/exchange.ts';
import { limitConnections } from '../http/server/connection-limits.ts';
import { createPort, type Port, type PortOptions } from '../http/server/request-listener.ts';
import { startHttpServer, type HttpServer } from '../http/server/server.ts';

export interface OpsPortOptions {
  readonly opsPort: Port;
  /** Finds the way that a request goes. */
  readonly pathFor: (request: IncomingMessage) => Path;
  readonly host: string;
  readonly port: number;
  readonly stopping: AbortSignal;
  readonly logError: ErrorLog;
  readonly pulse: Pulse;
}

/** The operations port cannot listen. The cause is Node's error. */
export class OpsPortError extends Error {}

/** One address has enough for a Prometheus, the probes and some moderators, and leaves most to others. */
const MOST_CONNECTIONS = 256;
const MOST_CONNECTIONS_PER_ADDRESS = 64;
/** The memory that answers may take while they wait for slow readers; the longest answer is one of /admin/servers. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** The port, before it listens. */
export function createOpsPort(options: Omit<PortOptions, 'maxWaitingBytes' | 'onWaiting'>): Port {
  return createPort({ ...options, maxWaitingBytes: MAX_WAITING_BYTES });
}

/** Rejects with an OpsPortError when it cannot listen on the address. */
export function startOpsPort({ opsPort, pathFor, ...server }: OpsPortOptions): Promise<HttpServer> {
  return startHttpServer({
    ...server,
    listener: opsPort.listen(pathFor),
    limitConnections: (limited) =>
      limitConnections(limited, {
        most: MOST_CONNECTIONS,
        mostPerAddress: MOST_CONNECTIONS_PER_ADDRESS,
        isExempt: () => false,
        onClosed: () => undefined,
      }),
  }).catch((error: unknown) => {
    throw new OpsPortError((error as Error).message, { cause: error });
  });
}
