/**
 * A beacon: a fixed point of the network, to which game servers and readers measure how long a packet takes there and
 * back. It answers every GET at once with nothing, remembers nobody, and pages of all origins may use it.
 */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressOf } from '../../model/address-of.ts';
import type { Networks } from '../../model/net/networks.ts';
import { networkOf } from '../../model/net/ip.ts';
import { createClients } from '../http/client.ts';
import { RateWindows } from '../http/limits/rate-windows.ts';
import { limitConnections } from '../http/server/connection-limits.ts';

export interface BeaconOptions {
  readonly host: string;
  /** 0 means any free one. */
  readonly port: number;
  /** How many requests an address may send in a minute. */
  readonly perMinute?: number;
  /** The proxies that name its clients in X-Forwarded-For. */
  readonly trustedProxies?: Networks | undefined;
}

export interface OpenBeacon {
  /** As seen from this machine. */
  readonly url: string;
  close(): Promise<void>;
}

/** A beacon cannot listen. The cause is Node's error. */
export class BeaconPortError extends Error {}

/** A measuring takes six: enough for a hundred players behind one address at the same time. */
export const PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const MOST_CONNECTIONS = 10_000;
const MOST_CONNECTIONS_PER_ADDRESS = 256;
const TIMEOUT_MS = 5000;
/** More than browsers send with no cookies. */
const MOST_HEADER_BYTES = 8192;

/** Browsers tell pages how long a request took if Timing-Allow-Origin lets them. */
const NOTHING = ['Access-Control-Allow-Origin', '*', 'Timing-Allow-Origin', '*', 'Cache-Control', 'no-store'];
const TOO_MANY = [...NOTHING, 'Retry-After', '60', 'Content-Length', '0', 'Connection', 'close'];
const NO_GET = [...NOTHING, 'Allow', 'GET, HEAD', 'Content-Length', '0', 'Connection', 'close'];

/** Rejects with a BeaconPortError when it cannot listen on the address. */
export async function startBeacon(options: BeaconOptions): Promise<OpenBeacon> {
  const { host, port, trustedProxies } = options;
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      keepAliveTimeout: 2 * TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_MS,
    },
    createListener(options),
  );
  limitConnections(server, {
    most: MOST_CONNECTIONS,
    mostPerAddress: MOST_CONNECTIONS_PER_ADDRESS,
    isExempt: (ip) => trustedProxies?.has(ip) ?? false,
    onClosed: () => undefined,
  });
  // Whoever sends bytes and reads no answer is let go.
  server.setTimeout(2 * TIMEOUT_MS);
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== '::' && { host }) }, resolve);
  }).catch((error: unknown) => {
    throw new BeaconPortError((error as Error).message, { cause: error });
  });
  const { address, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${/^(?:::|0\.0\.0\.0)$/.test(address) ? `localhost:${bound}` : addressOf(address, bound)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createListener({ perMinute = PER_MINUTE, trustedProxies }: BeaconOptions): RequestListener {
  const clientOf = createClients({ trustedProxies });
  const windows = new RateWindows(MINUTE_MS);
  return (request, response) => {
    const client = clientOf(request);
    if (client === undefined) {
      request.socket.destroy();
      return;
    }
    response.sendDate = false;
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, NO_GET);
    else if (windows.count(networkOf(client.address)).requests > perMinute) response.writeHead(429, TOO_MANY);
    else response.writeHead(204, NOTHING);
    response.end();
  };
}
