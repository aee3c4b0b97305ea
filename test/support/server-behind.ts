/** The Node server behind a running service, for tests that cannot wait as long as its timeouts are. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { ask } from './ask.ts';

const CHANNEL = 'http.server.request.start';

export async function serverBehind(service: { readonly url: string }): Promise<Server> {
  let found: Server | undefined;
  const { port } = new URL(service.url);
  const notice = (message: unknown): void => {
    const { server, socket } = message as { server: Server; socket: { localPort: number } };
    if (socket.localPort === Number(port)) found = server;
  };
  subscribe(CHANNEL, notice);
  try {
    await ask(service, 'GET /health');
  } finally {
    unsubscribe(CHANNEL, notice);
  }
  return found!;
}
