/** Warms replicas up before their memory is measured: a young process grows into its heap, which is not a leak. */

import type { Address } from '../../support/ask.ts';
import { openRawConnection, plainRequest } from '../../support/raw-connection.ts';

const CONNECTIONS = 16;
const REQUESTS = 150;
/** By pid. */
const warm = new Set<number>();

/** Lets a replica answer a few thousand requests, once for each process. */
export async function warmUp(replica: Address & { readonly pid: number }): Promise<void> {
  if (warm.has(replica.pid)) return;
  warm.add(replica.pid);
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => openRawConnection(replica)),
  );
  await Promise.all(
    connections.map(async (connection) => {
      for (let i = 0; i < REQUESTS; i += 1) {
        await connection.send(plainRequest('GET /')).answer();
        await connection.send(plainRequest('POST /ping', { server_id: 'unknown' })).answer();
      }
      connection.destroy();
    }),
  );
}
