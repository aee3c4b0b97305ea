/** The floor: raw node:http that answers every GET with the same bytes, and every POST with a success. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FloorOrder {
  /** In gzip. */
  readonly body: Uint8Array;
}

process.on('disconnect', () => process.exit());
process.on('message', ({ body }: FloorOrder) => {
  const bytes = Buffer.from(body);
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      request.resume();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"success"}\n');
    } else
      response
        .writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Encoding': 'gzip',
          'Content-Length': bytes.length,
        })
        .end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
});
