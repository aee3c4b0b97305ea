import type { Server } from 'node:net';

/** Resolves once the server listens there; rejects when it cannot. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
