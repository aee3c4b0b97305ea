/**
 * The Koa application: the order in which a request meets the middleware. A value: building it does no I/O.
 * What the endpoints do is in endpoints.ts, what there is to call in routes.ts.
 */

import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { emptyAnswer } from './answer.ts';
import { createAuthenticator, requireKey } from './auth.ts';
import { fieldsOf, readBody } from './body.ts';
import { cors } from './cors.ts';
import { createEndpoints, type EndpointsOptions } from './endpoints.ts';
import { handleErrors, isHangUp, reply } from './error-handler.ts';
import type { Logger } from './logger.ts';
import { allowedMethods, createRoutes, endpointOf, type Route, type Routes } from './routes.ts';

export interface AppOptions extends EndpointsOptions {
  /** Any of them opens the door; none: it stands open. */
  readonly authKeys: readonly string[];
  readonly maxBodyBytes: number;
  /** `*`, or the origins whose pages may read. */
  readonly corsOrigins: readonly string[];
  readonly logger: Logger;
}

export function createApp(options: AppOptions): Koa {
  const { logger } = options;
  const routes = createRoutes(createEndpoints(options));
  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (isHangUp(error)) logger.debug({}, 'the client hung up');
    else logger.error({ err: error }, 'an answer could not be sent');
  });

  app.use(setCommonHeaders);
  app.use(handleErrors(logger));
  app.use(requireHost);
  app.use(cors(routes, options.corsOrigins));
  app.use(requireKey(createAuthenticator(options.authKeys)));
  app.use(routesOf(routes, readBody(options.maxBodyBytes)));
  app.use(() => {
    throw new ServiceError('not_found');
  });
  return app;
}

const setCommonHeaders: Middleware = (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  return next();
};

/** HTTP/1.1 demands it (RFC 9112 section 3.2); Node's own check would answer without a body. */
const requireHost: Middleware = (ctx, next) => {
  if (ctx.req.httpVersion !== '1.0' && ctx.req.headers.host === undefined) {
    throw new ServiceError('invalid_request', { message: 'a Host header is needed' });
  }
  return next();
};

function routesOf(routes: Routes, parseBody: Middleware): ReturnType<Router['routes']> {
  const router = new Router({ strict: true, sensitive: true });
  for (const [path, route] of routes)
    router.all(path, ...(route.takesFields ? [parseBody] : []), answerFrom(route));
  return router.routes();
}

function answerFrom(route: Route): Middleware {
  return async (ctx) => {
    if (ctx.method === 'OPTIONS') {
      reply(ctx, emptyAnswer(204, { Allow: allowedMethods(route) }));
      return;
    }
    const endpoint = endpointOf(route, ctx.method);
    reply(ctx, await endpoint(route.takesFields ? fieldsOf(ctx) : undefined));
  };
}
