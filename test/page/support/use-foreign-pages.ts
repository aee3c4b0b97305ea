/** Pages of another origin than the service, each with an origin of its own. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../../support/listen.ts';

/**
 * Call it in a describe block. Returns a function that serves HTML until the tests of the block are done: it resolves
 * with the URL.
 */
export function useForeignPages(): (html: string) => Promise<string> {
  const servers: Server[] = [];
  after('the foreign pages', () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return async (html) => {
    const server = createServer(({ url }, response) => {
      // A browser also asks for an icon.
      if (new URL(url!, 'http://localhost').pathname !== '/') response.writeHead(204).end();
      else response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
    });
    servers.push(server);
    await listen(server, '127.0.0.1', 0);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
}
