/**
 * Reads the fields of a request on the Koa path: JSON whatever the Content-Type says, up to a size limit, and without
 * decompression.
 */

import bodyParser from 'koa-bodyparser';
import type { Context, Middleware } from 'koa';
import { ServiceError } from '../../../model/service-error.ts';
import { asksToContinue, emptyBody, invalidJson } from '../body.ts';
import { fieldsOfQuery } from '../checks/query-fields.ts';
import { isHangUp } from '../error-log.ts';

/** Parses the body into `ctx.request.body`. Throws a ServiceError if it is too large, encoded, partial or not JSON. */
export function readBody(maxBodyBytes: number): Middleware {
  const tooLarge = (): ServiceError =>
    new ServiceError('body_too_large', {
      message: `the body is larger than ${maxBodyBytes} bytes`,
      // The rest of the body is not read, so the connection cannot be used again.
      headers: { Connection: 'close' },
    });
  const parse = bodyParser({
    enableTypes: ['json'],
    detectJSON: () => true,
    strict: false,
    jsonLimit: `${maxBodyBytes}b`,
    // Unknown fields are never stored, so `__proto__` does no harm.
    onProtoPoisoning: 'ignore',
    onerror(error: Error & { type?: string; status?: number }) {
      if (error.type === 'entity.too.large') throw tooLarge();
      if (error instanceof SyntaxError) throw invalidJson();
      if (error.status === 400 && !isHangUp(error))
        throw new ServiceError('invalid_request', { message: 'the body is incomplete' });
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
    if (asksToContinue(ctx.req.httpVersion, ctx.req.headers.expect)) ctx.res.writeContinue();
    return parse(ctx, next);
  };
}

/** The unvalidated fields of the body, or of the query of a GET or DELETE without a body. */
export function fieldsOf(ctx: Context): unknown {
  const { body, rawBody } = ctx.request;
  if (rawBody) return body;
  if (ctx.method === 'GET' || ctx.method === 'DELETE') return fieldsOfQuery(ctx.querystring);
  throw emptyBody();
}
