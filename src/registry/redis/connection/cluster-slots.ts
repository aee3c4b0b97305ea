/**
 * Keeps up with which node of a Cluster has which slots. ioredis' own timer would go on asking the nodes it knew last,
 * whatever became of them, even after the end.
 */

import type { Cluster } from 'ioredis';

const INTERVAL_MS = 2000;

/**
 * Asks for the slots regularly while the Cluster is ready. When no node answers, the client begins anew with the nodes
 * of its address. Returns a function that asks at once.
 */
export function followSlots(cluster: Cluster): () => void {
  let timer: NodeJS.Timeout | undefined;
  const refresh = (): void => {
    cluster.refreshSlotsCache((error) => {
      if (error && cluster.status === 'ready') cluster.disconnect(true);
    });
  };
  cluster.on('ready', () => {
    clearInterval(timer);
    timer = setInterval(refresh, INTERVAL_MS);
  });
  for (const event of ['disconnecting', 'close']) cluster.on(event, () => clearInterval(timer));
  return refresh;
}
