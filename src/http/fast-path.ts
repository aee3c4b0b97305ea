/**
 * The fast path, for plain requests, which are nearly all: the path of a route, a GET or POST that the route has, no query
 * but for an endpoint that reads it, and at most a small body of stated length. It works on Node's own request and response, without the CPU time of Koa, its
 * router and its body parser. All other requests take the Koa path (app.ts). Both paths share routes, endpoints,
 * validation, authentication and errors, so the same request gets the same answer on either.
 */

import { errorAnswer, type Answer } from './answer.ts';
import type { AppOptions } from './app.ts';
import { hasPlainBody, readPlainBody } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange, Path } from './exchange.ts';
import { isOriginForm, isProper, pathOf, queryOf } from './checks/request-rules.ts';
import { accessOf, decodeParameter, type FoundRoute } from './routes.ts';

/** Answers plain requests and passes all others to `koaPath`. */
export function createFastPath(options: AppOptions, koaPath: Path): Path {
  const { routes, guard, checkSite, cors, maxBodyBytes, longestRetryAfterS, logError, send } = options;

  async function answer(exchange: Exchange, found: FoundRoute, endpoint: Endpoint): Promise<void> {
    const { request, client, requestId } = exchange;
    const { route, parameter } = found;
    const { headers } = request;
    let result: Answer;
    try {
      guard.check(accessOf(route, request.method!), headers.authorization);
      checkSite(route, request.method!, { headers, client });
      result = await endpoint({
        headers,
        fields: route.takesFields ? await readPlainBody(request) : undefined,
        query: route.takesQuery ? queryOf(request.url!) : '',
        client,
        isGone: () => request.socket.destroyed,
        ...(parameter !== undefined && { parameter: decodeParameter(parameter) }),
      });
    } catch (error) {
      logError(error, {
        method: request.method,
        path: pathOf(request.url!),
        address: client.address,
        requestId,
        hasKey: headers.authorization !== undefined,
      });
      result = errorAnswer(error, longestRetryAfterS);
    }
    send(exchange, result, found, cors.headersFor(route, headers.origin));
  }

  return (exchange) => {
    const { request } = exchange;
    const { method, headers } = request;
    const url = request.url!;
    const path = pathOf(url);
    const found = routes.find(path);
    const endpoint =
      found !== undefined && (method === 'GET' || method === 'POST')
        ? found.route.endpoints[method]
        : undefined;
    const isPlain =
      endpoint !== undefined &&
      (path === url || found!.route.takesQuery) &&
      // An exact path without a query is one of the table.
      ((path === url && found!.parameter === undefined) || isOriginForm(url)) &&
      isProper(request) &&
      (found!.route.takesFields
        ? method === 'POST' && hasPlainBody(request, maxBodyBytes)
        : headers['content-length'] === undefined);
    if (isPlain) void answer(exchange, found!, endpoint);
    else koaPath(exchange);
  };
}
