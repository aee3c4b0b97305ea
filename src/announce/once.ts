/** What `gsls announce` does without staying: a look at each game server, and at most one broadcast. Prints nothing. */

import type { AnnouncedServer } from './announced-server.ts';
import type { BroadcastBody } from './broadcast-body.ts';

/** What came of one game server at one service. */
export interface Broadcasted {
  readonly url: string;
  /** Undefined: it is not listed there, and `why`. */
  readonly id: string | undefined;
  readonly why: string;
}

/** Programs and queries that run at the same time. */
const AT_ONCE = 32;

/** In the order of the game servers: what would be sent, or a sentence why nothing would. */
export function lookAtAll(servers: readonly AnnouncedServer[]): Promise<readonly (BroadcastBody | string)[]> {
  return eachOf(servers, (server) => server.look());
}

/** In the order of the game servers, and of the services of each. */
export function broadcastAll(
  servers: readonly AnnouncedServer[],
): Promise<readonly (readonly Broadcasted[])[]> {
  return eachOf(servers, async (server) => {
    const body = await server.look();
    return Promise.all(
      server.listings.map(async ({ url, listing }) => {
        if (typeof body === 'string') return { url, id: undefined, why: body };
        const { answer } = await listing.announceOnce(body);
        return { url, id: listing.id, why: answer.reason };
      }),
    );
  });
}

async function eachOf<In, Out>(
  all: readonly In[],
  work: (each: In) => Promise<Out>,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    results.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return results;
}
