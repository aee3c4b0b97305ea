/**
 * The Koa application: the order in which a request meets the middleware. A value: building it does no I/O.
 * What the endpoints do is in endpoints.ts, what there is to call in routes.ts.
 */

import { Router } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { emptyAnswer, errorAnswer, withHeaders, type Answer } from './answer.ts';
import { authenticate, type Authenticator } from './auth.ts';
import { fieldsOf, readBody } from './body.ts';
import type { Cors } from './cors.ts';
import { isHangUp, logError } from './error-log.ts';
import type { Logger } from './logger.ts';
import { allowedMethods, endpointOf, type Route, type Routes } from './routes.ts';

export interface AppOptions {
  readonly routes: Routes;
  readonly isAuthentic: Authenticator;
  readonly cors: Cors;
  readonly maxBodyBytes: number;
  /** Of a request that is refused for a while, s. */
  readonly longestRetryAfter: number;
  readonly logger: Logger;
}

export function createApp(options: AppOptions): Koa {
  const { routes, isAuthentic, cors, maxBodyBytes, logger } = options;
  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (isHangUp(error)) logger.debug({}, 'the client hung up');
    else logger.error({ err: error }, 'an answer could not be sent');
  });

  app.use(handleErrors(options));
  app.use(requireHost);
  app.use(answerPreflights(routes, cors));
  app.use(requireKey(isAuthentic));
  app.use(routesOf(routes, cors, readBody(maxBodyBytes)));
  app.use(() => {
    throw new ServiceError('not_found', {
      message: `there is nothing at this path: try ${[...routes.keys()].join(', ')}`,
    });
  });
  return app;
}

function reply(ctx: Context, answer: Answer): void {
  ctx.status = answer.status;
  ctx.set(answer.headers as Record<string, string | string[]>);
  ctx.body = answer.status === 204 || answer.status === 304 ? null : answer.body;
}

/** Whatever is thrown further in becomes the error envelope. */
function handleErrors({ routes, cors, longestRetryAfter, logger }: AppOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logError(logger, error, ctx.method, ctx.path);
      reply(
        ctx,
        withHeaders(
          errorAnswer(error, longestRetryAfter),
          cors.headersFor(routes.get(ctx.path), ctx.req.headers.origin),
        ),
      );
    }
  };
}

/** HTTP/1.1 demands it (RFC 9112 section 3.2); Node's own check would answer without a body. */
const requireHost: Middleware = (ctx, next) => {
  if (ctx.req.httpVersion !== '1.0' && ctx.req.headers.host === undefined) {
    throw new ServiceError('invalid_request', { message: 'a Host header is needed' });
  }
  return next();
};

function answerPreflights(routes: Routes, cors: Cors): Middleware {
  return (ctx, next) => {
    const answer = cors.preflight(routes.get(ctx.path), ctx.method, ctx.req.headers);
    return answer === undefined ? next() : reply(ctx, answer);
  };
}

function requireKey(isAuthentic: Authenticator): Middleware {
  return (ctx, next) => {
    authenticate(isAuthentic, ctx.req.headers.authorization);
    return next();
  };
}

function routesOf(routes: Routes, cors: Cors, parseBody: Middleware): ReturnType<Router['routes']> {
  const router = new Router({ strict: true, sensitive: true });
  for (const [path, route] of routes) {
    router.all(path, ...(route.takesFields ? [parseBody] : []), answerFrom(route, cors));
  }
  return router.routes();
}

function answerFrom(route: Route, cors: Cors): Middleware {
  return async (ctx) => {
    const { method, req } = ctx;
    const answer =
      method === 'OPTIONS'
        ? emptyAnswer(204, { Allow: allowedMethods(route) })
        : await endpointOf(
            route,
            method,
          )({ headers: req.headers, fields: route.takesFields ? fieldsOf(ctx) : undefined });
    reply(ctx, withHeaders(answer, cors.headersFor(route, req.headers.origin)));
  };
}
