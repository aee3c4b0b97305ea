/**
 * A shortcut for plain requests, which are nearly all: a route named exactly, by a method it has, with no query
 * and at most a small body of stated length. They are read from and answered on Node's own objects, without the
 * CPU that Koa, its router and its body parser take. Everything else takes the ordinary road (app.ts), and both share routes,
 * endpoints, validation, authentication and errors, so that the same request has the same answer on either.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { errorAnswer, type Answer } from './answer.ts';
import type { AppOptions } from './app.ts';
import { authenticate } from './auth.ts';
import { hasPlainBody, readPlainBody } from './body.ts';
import type { Endpoint } from './endpoints.ts';
import { logError } from './error-log.ts';
import { isProper } from './request-rules.ts';
import type { Route } from './routes.ts';

/** `ordinary`: who gets what is not plain. */
export function createFastLane(options: AppOptions, ordinary: RequestListener): RequestListener {
  const { routes, isAuthentic, cors, maxBodyBytes, longestRetryAfter, logger, send } = options;

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    endpoint: Endpoint,
  ): Promise<void> {
    const { headers } = request;
    let result: Answer;
    try {
      authenticate(isAuthentic, headers.authorization);
      result = await endpoint({
        headers,
        fields: route.takesFields ? await readPlainBody(request) : undefined,
      });
    } catch (error) {
      logError(logger, error, request.method!, request.url!);
      result = errorAnswer(error, longestRetryAfter);
    }
    send(response, result, cors.headersFor(route, headers.origin));
  }

  return (request, response) => {
    const { url, method, headers } = request;
    const route = routes.get(url!);
    const endpoint =
      route !== undefined && (method === 'GET' || method === 'POST') ? route.endpoints[method] : undefined;
    const isPlain =
      endpoint !== undefined &&
      isProper(request) &&
      (route!.takesFields
        ? method === 'POST' && hasPlainBody(request, maxBodyBytes)
        : headers['content-length'] === undefined);
    if (isPlain) void answer(request, response, route!, endpoint);
    else ordinary(request, response);
  };
}
