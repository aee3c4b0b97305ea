/** Speaks TLS for clients of the tests that cannot: what comes in on a port of this machine goes out encrypted. */

import { createServer, type AddressInfo, type Server } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import type { Address } from './ask.ts';
import { listen } from './listen.ts';

export interface TlsTunnel extends Address {
  close(): void;
}

/** Each connection becomes one with these options, such as `host`, `port`, `ca` and `servername`. */
export async function openTlsTunnel(options: ConnectionOptions): Promise<TlsTunnel> {
  const open = new Set<{ destroy(): void }>();
  const server: Server = createServer((client) => {
    const encrypted = connect(options);
    for (const [one, other] of [
      [client, encrypted],
      [encrypted, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        // What has ended by itself is passed on by pipe(), when all before it is.
        if (!one.readableEnded) other.destroy();
      });
      one.pipe(other);
    }
  });
  await listen(server, '127.0.0.1', 0);
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const each of open) each.destroy();
    },
  };
}
