/**
 * Reads the fields of a plain request, for the fast path: JSON whatever the Content-Type says. The Koa path reads the
 * same body to the same fields or the same error (koa/koa-body.ts).
 */

import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';

/** HTTP helpers of game engines tend to send forms; the message says what to send instead. */
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

/** The fields, or the error. Never settles if the client hangs up. */
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
