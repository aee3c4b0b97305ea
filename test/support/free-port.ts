/** Ports of this machine that are free, also while other tests run beside this one. */

import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to `listen(0)`: none of those takes a port that was
 * found here and is not yet in use.
 */
const LOWEST_PORT = 10_000;
const HIGHEST_PORT = 32_000;

/**
 * Each of Mocha's workers has ports of its own, every 16th: else two of them could find the same one before either uses
 * it, or one could take what another one's program has left for a moment.
 */
const SHARES = 16;
const SHARE = Number(process.env['MOCHA_WORKER_ID'] ?? 0) % SHARES;

/** What was found here is not found again: it may not be in use yet. */
const found = new Set<number>();

/** A port of 127.0.0.1 where nothing listens at this moment, between 10000 and the highest one. */
export async function freePort(highestPort = HIGHEST_PORT): Promise<number> {
  for (;;) {
    const port = SHARES * randomInt(LOWEST_PORT / SHARES, highestPort / SHARES) + SHARE;
    if (found.has(port)) continue;
    found.add(port);
    const server = createServer();
    if (!(await listens(server, port))) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
}
