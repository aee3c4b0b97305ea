/**
 * The Koa path, for requests whose bodies are not plain: in pieces, encoded, waiting for 100 Continue, or missing where
 * one is needed. Koa's router finds the route, its body parser reads the fields, and the handle does the rest.
 */

import type { IncomingMessage } from 'node:http';
import { Router } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from '../../../runtime/log/logger.ts';
import { fieldsOf, readBody } from './koa-body.ts';
import { originForm } from '../checks/request-rules.ts';
import { isHangUp } from '../error-log.ts';
import type { Exchange, Path } from '../exchange.ts';
import type { Handle, HandleOptions } from '../handle.ts';

export interface KoaPathOptions extends Pick<HandleOptions, 'routes' | 'maxBodyBytes'> {
  readonly handle: Handle;
  readonly logger: Logger;
}

/** Handles every request. Building it does no I/O. */
export function createKoaPath({ routes, maxBodyBytes, handle, logger }: KoaPathOptions): Path {
  /** The exchanges by their requests: Koa passes only the request to its middleware. */
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const parse = readBody(maxBodyBytes);
  const readFields = async (ctx: Context): Promise<unknown> => {
    await parse(ctx, async () => undefined);
    return fieldsOf(ctx);
  };
  const answer: Middleware = async (ctx) => {
    ctx.respond = false;
    // An error that Node's parser reports right behind the headers is answered by refusal.ts, before the handle runs.
    await Promise.resolve();
    return handle(exchanges.get(ctx.req)!, () => readFields(ctx));
  };

  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (isHangUp(error)) logger.debug({}, 'the client hung up');
    else logger.error({ err: error }, 'an answer could not be sent');
  });
  const router = new Router({ strict: true, sensitive: true });
  for (const pattern of routes.patterns) router.all(pattern, answer);
  app.use((ctx, next) => (hasPath(ctx) ? next() : answer(ctx, next)));
  app.use(router.routes());
  // The handle answers that there is nothing at this path.
  app.use(answer);

  const answerOf = app.callback();
  return (exchange) => {
    exchanges.set(exchange.request, exchange);
    void answerOf(exchange.request, exchange.response);
  };
}

/** Turns the target into a path if it can be one: Koa and its router throw on other forms, or misread them. */
function hasPath(ctx: Context): boolean {
  try {
    ctx.url = originForm(ctx.url);
    return true;
  } catch {
    return false;
  }
}
