/** Reading the fields of a request: JSON whatever the content type says, within a limit, without decompression. */

import type { IncomingMessage } from 'node:http';
import bodyParser from 'koa-bodyparser';
import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { coerceQuery } from './validation.ts';

/** Engines' HTTP helpers like to send forms; the message says what to do instead. */
const HINT = 'send a JSON object, whatever the Content-Type says';

const emptyBody = (): ServiceError =>
  new ServiceError('invalid_request', { message: `the body is empty: ${HINT}` });

const invalidJson = (): ServiceError =>
  new ServiceError('invalid_json', { message: `the body is not valid JSON: ${HINT}` });

/** Parses the body into `ctx.request.body`. Throws the ServiceErrors of a body that cannot be read. */
export function readBody(maxBodyBytes: number): Middleware {
  const tooLarge = (): ServiceError =>
    new ServiceError('body_too_large', {
      message: `the body is larger than ${maxBodyBytes} bytes`,
      // What is left of the body is not read; the connection is of no more use.
      headers: { Connection: 'close' },
    });
  const parse = bodyParser({
    enableTypes: ['json'],
    detectJSON: () => true,
    strict: false,
    jsonLimit: `${maxBodyBytes}b`,
    // Unknown fields are never stored, so this one does no harm either.
    onProtoPoisoning: 'ignore',
    onerror(error: Error & { type?: string; status?: number }) {
      if (error.type === 'entity.too.large') throw tooLarge();
      if (error instanceof SyntaxError) throw invalidJson();
      if (error.status === 400)
        throw new ServiceError('invalid_request', { message: 'the body did not arrive whole' });
      throw error;
    },
  } as bodyParser.Options);

  return (ctx, next) => {
    const { 'content-length': length, 'content-encoding': encoding } = ctx.req.headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      throw new ServiceError('unsupported_encoding');
    // The parser knows `identity` in lower case only.
    delete ctx.req.headers['content-encoding'];
    if (Number(length) > maxBodyBytes) throw tooLarge();
    if (asksToContinue(ctx.req)) ctx.res.writeContinue();
    return parse(ctx, next);
  };
}

/** Whether the client sends the body only when told to (RFC 9110 section 10.1.1). HTTP/1.0 knows no such thing. */
function asksToContinue({ httpVersion, headers: { expect = '' } }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(expect);
}

/** The unchecked fields: of the body, or of the query string of a GET without one. */
export function fieldsOf(ctx: Context): unknown {
  const { body, rawBody } = ctx.request;
  if (rawBody) return body;
  if (ctx.method === 'GET') return coerceQuery(ctx.query);
  throw emptyBody();
}

/** Whether readPlainBody may read the body: small, of known length, as it is, and sent without waiting to be told. */
export function hasPlainBody({ headers }: IncomingMessage, maxBodyBytes: number): boolean {
  return (
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    Number(headers['content-length']) <= maxBodyBytes
  );
}

/** The fields of a plain body, exactly as the parser above would find them. Never settles if the client hangs up. */
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
