/**
 * The Koa path: the order in which a request passes through the middleware. The application is a value: building it
 * does no I/O. The routes are in routes.ts, the endpoints in endpoints.ts.
 */

import type { IncomingMessage } from 'node:http';
import { Router } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { emptyAnswer, errorAnswer, type Answer } from './answer.ts';
import type { Guard } from './auth.ts';
import { fieldsOf, readBody } from './body.ts';
import type { Cors } from './cors.ts';
import type { SiteCheck } from './checks/cross-site.ts';
import { isHangUp, type ErrorLog } from './error-log.ts';
import type { Exchange, Path } from './exchange.ts';
import type { Logger } from '../log/logger.ts';
import { originForm, pathOf, queryOf, requireProper } from './checks/request-rules.ts';
import {
  accessOf,
  accessToNothing,
  allowedMethods,
  decodeParameter,
  endpointOf,
  type Route,
  type Routes,
} from './routes.ts';
import type { Send } from './send.ts';

/** What the Koa path and the fast path share. */
export interface AppOptions {
  readonly routes: Routes;
  readonly guard: Guard;
  readonly checkSite: SiteCheck;
  readonly cors: Cors;
  readonly maxBodyBytes: number;
  /** Upper limit of Retry-After, s. */
  readonly longestRetryAfterS: number;
  readonly logger: Logger;
  readonly logError: ErrorLog;
  readonly send: Send;
}

/** The exchanges of the requests on this path: Koa hands the request alone to the middleware. */
const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** Takes every request. */
export function createKoaPath(options: AppOptions): Path {
  const answer = createApp(options).callback();
  return (exchange) => {
    exchanges.set(exchange.request, exchange);
    void answer(exchange.request, exchange.response);
  };
}

function createApp(options: AppOptions): Koa {
  const { routes, guard, cors, maxBodyBytes, logger, send } = options;
  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (isHangUp(error)) logger.debug({}, 'the client hung up');
    else logger.error({ err: error }, 'an answer could not be sent');
  });

  const reply = (ctx: Context, answer: Answer): void => {
    ctx.respond = false;
    const found = routes.find(pathOf(ctx.url));
    send(exchanges.get(ctx.req)!, answer, found, cors.headersFor(found?.route, ctx.req.headers.origin));
  };
  app.use(answerErrors(options, reply));
  app.use(requireProperRequest);
  app.use(answerPreflights(routes, cors, reply));
  app.use(callEndpoint(options, readBody(maxBodyBytes), reply));
  app.use(refusePath(routes, guard));
  return app;
}

/** Sends the answer with the CORS headers of its route. */
type Reply = (ctx: Context, answer: Answer) => void;

/** Turns every error of the later middleware into an answer with the error envelope. */
function answerErrors({ longestRetryAfterS, logError }: AppOptions, reply: Reply): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { client, requestId } = exchanges.get(ctx.req)!;
      logError(error, {
        method: ctx.method,
        path: pathOf(ctx.url),
        address: client.address,
        requestId,
        hasKey: ctx.req.headers.authorization !== undefined,
      });
      reply(ctx, errorAnswer(error, longestRetryAfterS));
    }
  };
}

/** After this the target is a path: Koa and its router throw on other forms, or misread them. */
const requireProperRequest: Middleware = (ctx, next) => {
  ctx.url = originForm(ctx.url);
  requireProper(ctx.req);
  return next();
};

function answerPreflights(routes: Routes, cors: Cors, reply: Reply): Middleware {
  return (ctx, next) => {
    const answer = cors.preflight(routes.find(pathOf(ctx.url))?.route, ctx.method, ctx.req.headers);
    return answer === undefined ? next() : reply(ctx, answer);
  };
}

function requireKey(route: Route, guard: Guard): Middleware {
  return (ctx, next) => {
    guard.check(accessOf(route, ctx.method), ctx.req.headers.authorization);
    return next();
  };
}

/**
 * By path and method. Each route checks the key itself: what finds the route decides which key is needed. The method is
 * checked before the body is read, so that a client that waits for 100 Continue does
 * not send a body in vain.
 */
function callEndpoint(
  { routes, guard, checkSite }: AppOptions,
  parseBody: Middleware,
  reply: Reply,
): ReturnType<Router['routes']> {
  const router = new Router({ strict: true, sensitive: true });
  for (const [path, route] of routes.patterns) {
    const reading = route.takesFields ? [parseBody] : [];
    const answering = [
      checkMethod(route, reply),
      requireOwnSite(route, checkSite),
      ...reading,
      answerFrom(routes, route, reply),
    ];
    router.all(path, requireKey(route, guard), ...answering);
  }
  return router.routes();
}

function checkMethod(route: Route, reply: Reply): Middleware {
  return (ctx, next) => {
    if (ctx.method === 'OPTIONS') return reply(ctx, emptyAnswer(204, { Allow: allowedMethods(route) }));
    endpointOf(route, ctx.method);
    return next();
  };
}

function requireOwnSite(route: Route, checkSite: SiteCheck): Middleware {
  return (ctx, next) => {
    const { request, client } = exchanges.get(ctx.req)!;
    checkSite(route, ctx.method, { headers: request.headers, client });
    return next();
  };
}

function answerFrom(routes: Routes, route: Route, reply: Reply): Middleware {
  return async (ctx) => {
    const fields = route.takesFields ? fieldsOf(ctx) : undefined;
    const parameter = routes.find(pathOf(ctx.url))?.parameter;
    const request = {
      headers: ctx.req.headers,
      fields,
      query: queryOf(ctx.url),
      client: exchanges.get(ctx.req)!.client,
      isGone: () => ctx.req.socket.destroyed,
      ...(parameter !== undefined && { parameter: decodeParameter(parameter) }),
    };
    reply(ctx, await endpointOf(route, ctx.method)(request));
  };
}

function refusePath(routes: Routes, guard: Guard): Middleware {
  return (ctx) => {
    guard.check(accessToNothing(pathOf(ctx.url)), ctx.req.headers.authorization);
    throw new ServiceError('not_found', {
      message: `there is nothing at this path: try ${routes.knownPaths}`,
    });
  };
}
