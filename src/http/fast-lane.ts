/**
 * A shortcut for plain requests, which are nearly all: a route named exactly, by a method it has, with no query
 * and at most a small body of stated length. They are read from and answered on Node's own objects, without the
 * CPU that Koa, its router and its body parser take. Everything else takes the ordinary road (app.ts), and both share routes,
 * endpoints, validation, authentication and errors, so that the same request has the same answer on either.
 */

import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { errorAnswer, withHeaders, type Answer, type AnswerHeaders } from './answer.ts';
import type { AppOptions } from './app.ts';
import { authenticate } from './auth.ts';
import { hasPlainBody, readPlainBody } from './body.ts';
import type { Endpoint } from './endpoints.ts';
import { logError } from './error-log.ts';
import { isProper } from './request-rules.ts';
import type { Route } from './routes.ts';

/** `ordinary`: who gets what is not plain. */
export function createFastLane(options: AppOptions, ordinary: RequestListener): RequestListener {
  const { routes, isAuthentic, cors, maxBodyBytes, longestRetryAfter, logger } = options;

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

/** The headers of answers that are given again and again, such as that to a ping, put together once. */
const headersOfAnswer = new WeakMap<
  Answer,
  { readonly more: AnswerHeaders; readonly all: OutgoingHttpHeaders }
>();

function send(response: ServerResponse, answer: Answer, more: AnswerHeaders): void {
  let headers = headersOfAnswer.get(answer);
  if (headers?.more !== more) {
    const length = answer.status === 304 ? {} : { 'Content-Length': Buffer.byteLength(answer.body) };
    headers = { more, all: { ...withHeaders(answer, more).headers, ...length } };
    headersOfAnswer.set(answer, headers);
  }
  response.writeHead(answer.status, headers.all);
  response.end(answer.body);
}
