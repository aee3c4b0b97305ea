/**
 * The part of fetch that a client of the service uses, by node:http. The global one takes a quarter of a second to
 * load, and most of the CPU of a stream; and that of Node 20 never ends its first request if the other side takes the
 * connection and closes it at once, as a proxy without a backend does. It follows no redirect. Knows no endpoint.
 */

import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip, constants } from 'node:zlib';

/** Its answers have status, headers, a body to read and text(), and nothing else of a Response. */
export const httpFetch = (
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const sent = typeof body === 'string' ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
    const request = send(
      url,
      {
        method,
        headers: {
          'Accept-Encoding': 'gzip',
          ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
          ...(headers as Record<string, string>),
          ...sent,
        },
        agent: false,
        ...(signal && { signal }),
      },
      (incoming) => resolve(responseOf(incoming) as unknown as Response),
    );
    request.on('error', reject);
    request.end(body as string | undefined);
  });

interface Part {
  readonly done: boolean;
  readonly value?: Uint8Array;
}

function responseOf(incoming: IncomingMessage): object {
  const { statusCode: status, headers } = incoming;
  const body = bodyOf(incoming);
  // Who reads it hears of the error. One that is aborted before anybody reads it ends nobody's process.
  body.on('error', () => undefined);
  const parts = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const reader = {
    read: async (): Promise<Part> => {
      const { done = false, value } = await parts.next();
      return done ? { done } : { done, value };
    },
    cancel: async () => void body.destroy(),
  };
  return {
    status,
    headers: { get: (name: string) => textOf(headers[name.toLowerCase()]) },
    body: { getReader: () => reader },
    async text(): Promise<string> {
      const all: Uint8Array[] = [];
      for (let part = await reader.read(); !part.done; part = await reader.read()) all.push(part.value!);
      return Buffer.concat(all).toString();
    },
  };
}

function bodyOf(incoming: IncomingMessage): Readable {
  if (incoming.headers['content-encoding'] !== 'gzip') return incoming;
  // Each part is passed on at once: a stream goes on for an hour.
  const plain = createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
  incoming.on('error', (error) => plain.destroy(error));
  return incoming.pipe(plain);
}

function textOf(value: string | readonly string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}
