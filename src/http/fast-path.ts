/**
 * The fast path, for plain requests, which are nearly all: an exact path, a method that the route has, no query, and at
 * most a small body of stated length. It works on Node's own request and response, without the CPU time of Koa, its
 * router and its body parser. All other requests take the Koa path (app.ts). Both paths share routes, endpoints,
 * validation, authentication and errors, so the same request gets the same answer on either.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { errorAnswer, type Answer } from './answer.ts';
import type { AppOptions } from './app.ts';
import { hasPlainBody, readPlainBody } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { isProper } from './request-rules.ts';
import { accessOf, type Route } from './routes.ts';

/** Answers plain requests and passes all others to `koaPath`. */
export function createFastPath(options: AppOptions, koaPath: RequestListener): RequestListener {
  const { routes, guard, clientOf, cors, maxBodyBytes, longestRetryAfterS, logError, send } = options;

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    endpoint: Endpoint,
  ): Promise<void> {
    const { headers } = request;
    let result: Answer;
    try {
      guard.check(accessOf(route, request.method!), headers.authorization);
      result = await endpoint({
        headers,
        fields: route.takesFields ? await readPlainBody(request) : undefined,
        client: clientOf(request),
      });
    } catch (error) {
      logError(error, { method: request.method, path: request.url, address: clientOf(request).address });
      result = errorAnswer(error, longestRetryAfterS);
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
    else koaPath(request, response);
  };
}
