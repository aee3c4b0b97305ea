/**
 * Reads bodies: the fields of a plain request on the fast path, which are JSON whatever the Content-Type says; and the
 * bytes of any request. The Koa path reads the same body to the same fields or the same error (koa/koa-body.ts).
 */

import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../model/service-error.ts';
import type { Exchange } from './exchange.ts';

/** HTTP helpers of game engines tend to send forms; the message tells their users what to send instead. */
const HINT = 'send a JSON object, whatever the Content-Type says';

export const emptyBody = (): ServiceError =>
  new ServiceError('invalid_request', { message: `the body is empty: ${HINT}` });

export const invalidJson = (): ServiceError =>
  new ServiceError('invalid_json', { message: `the body is not valid JSON: ${HINT}` });

/** Whether readPlainBody may read the body: of known length within the limit, not encoded, without Expect. */
export function hasPlainBody({ headers }: IncomingMessage, maxBodyBytes: number): boolean {
  return (
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    Number(headers['content-length']) <= maxBodyBytes
  );
}

/** Resolves with the fields, or rejects with the error. Never settles if the client hangs up. */
export function readPlainBody(request: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer | undefined;
    request.on('data', (chunk: Buffer) => {
      bytes = bytes === undefined ? chunk : Buffer.concat([bytes, chunk]);
    });
    request.on('end', () => {
      try {
        resolve(parseFields(bytes));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/**
 * Resolves with the bytes of the body as they came. Rejects with a ServiceError if the body is encoded, incomplete, or
 * longer than `mostBytes`; its rest is then not read, so that the connection cannot be used again.
 */
export async function readBytes({ request, response }: Exchange, mostBytes: number): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length, expect } = request.headers;
  const tooLarge = (): ServiceError =>
    new ServiceError('body_too_large', {
      message: `the body is larger than ${mostBytes} bytes`,
      headers: { Connection: 'close' },
    });
  if (encoding.toLowerCase() !== 'identity') throw new ServiceError('unsupported_encoding');
  if (Number(length) > mostBytes) throw tooLarge();
  if (asksToContinue(request.httpVersion, expect)) response.writeContinue();
  const pieces: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= mostBytes) pieces.push(piece);
      else reject(tooLarge());
    });
    request.on('end', () => resolve(Buffer.concat(pieces)));
    request.on('error', reject);
  });
}

/** Whether the client sends the body only after a 100 Continue (RFC 9110 section 10.1.1), not known to HTTP/1.0. */
export function asksToContinue(httpVersion: string, expect = ''): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(expect);
}

function parseFields(bytes: Buffer | undefined): unknown {
  let text = bytes?.toString('utf8') ?? '';
  if (text.startsWith('\ufeff')) text = text.slice(1);
  if (text === '') throw emptyBody();
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
}
