/**
 * The operations port of `gsls announce`: probes and metrics for what watches it, on a small server of its own, which
 * takes little time and few connections whoever asks.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sidecar } from './announcing.ts';
import { metricsText } from './metrics-text.ts';

export interface OpsServer {
  readonly url: string;
  close(): void;
}

export interface OpsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly announcing: Pick<Sidecar, 'servers' | 'counts'>;
  /** How long a request may take, and how long a connection may be silent. */
  readonly timeoutMs?: number;
}

/** The most connections: enough for a Prometheus and the probes of an orchestrator. */
const MOST_CONNECTIONS = 32;
const TIMEOUT_MS = 5000;
const MOST_HEADER_BYTES = 8192;

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Rejects with Node's error when it cannot listen. */
export async function startOpsServer({
  host,
  port,
  announcing,
  timeoutMs = TIMEOUT_MS,
}: OpsServerOptions): Promise<OpsServer> {
  const pages: Readonly<Record<string, () => Page>> = {
    '/livez': () => json(200, { status: 'alive' }),
    '/readyz': () => readiness(announcing),
    '/metrics': () => ({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text: metricsText(announcing),
    }),
  };
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: timeoutMs,
      headersTimeout: timeoutMs,
      keepAliveTimeout: timeoutMs,
      connectionsCheckingInterval: timeoutMs,
    },
    ({ method, url = '/' }, response) => {
      const path = url.split('?', 1)[0]!;
      if (!Object.hasOwn(pages, path))
        return send(response, json(404, { error: 'there is nothing at this path' }));
      if (method !== 'GET' && method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        return send(response, json(405, { error: 'this path takes GET alone' }));
      }
      send(response, pages[path]!());
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  // Whoever sends bytes and reads no answer is let go.
  server.setTimeout(timeoutMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Ready: each game server is up, and listed at one of its services at least. */
function readiness({ servers }: Pick<Sidecar, 'servers'>): Page {
  const listed = servers.filter((server) => server.isListed).length;
  const isReady = listed === servers.length;
  return json(isReady ? 200 : 503, {
    status: isReady ? 'ready' : 'not ready',
    game_servers: servers.length,
    listed,
  });
}

function json(status: number, body: object): Page {
  return { status, type: 'application/json', text: `${JSON.stringify(body)}\n` };
}

function send(response: ServerResponse, { status, type, text }: Page): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
