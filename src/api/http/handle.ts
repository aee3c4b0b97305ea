/**
 * The steps of every request: a well-formed request, a preflight or a route, its key, its method, the site it comes
 * from, its fields, its endpoint, and the answer or the error. The order matters. The key comes before all that reveals
 * anything of a path. The method comes before the body: a client that waits for 100 Continue sends none in vain.
 */

import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../model/service-error.ts';
import { emptyAnswer, errorAnswer, type Answer } from './answer.ts';
import { hasPlainBody, readBytes, readPlainBody } from './body.ts';
import type { SiteCheck } from './checks/cross-site.ts';
import { isOriginForm, originForm, pathOf, queryOf, requireProper } from './checks/request-rules.ts';
import type { Cors } from './cors.ts';
import type { ErrorLog } from './error-log.ts';
import type { Exchange, Path } from './exchange.ts';
import type { Guard } from './guard.ts';
import type { EndpointRequest, Route } from './route.ts';
import { accessToNothing, decodeParameter, type FoundPath, type RoutedPath, type Routes } from './routes.ts';
import type { Send } from './server/send.ts';
import { traceOf } from './trace-context.ts';

export interface HandleOptions {
  readonly routes: Routes;
  readonly guard: Guard;
  readonly checkSite: SiteCheck;
  readonly cors: Cors;
  readonly maxBodyBytes: number;
  /** The upper limit of Retry-After, in s. */
  readonly longestRetryAfterS: number;
  readonly logError: ErrorLog;
  readonly send: Send;
  /** The moderator whom a proxy has signed in; undefined if it names none, or is not believed. */
  readonly moderatorOf?: ((request: IncomingMessage) => string | undefined) | undefined;
  /**
   * The answer to a request for a path that is not in the table; it may throw a ServiceError. By default that is an
   * error which names the paths that are.
   */
  readonly otherwise?: ((request: IncomingMessage) => Answer) | undefined;
}

/** Reads the fields of the body or the query. Rejects with a ServiceError. */
export type ReadFields = () => Promise<unknown>;

/** Answers a request. Throws or rejects only if the answer could not be sent. */
export type Handle = (exchange: Exchange, readFields: ReadFields) => void | Promise<void>;

export function createHandle(options: HandleOptions): Handle {
  const { routes, cors, longestRetryAfterS, logError, send } = options;

  function refusal(
    { request, client, requestId, fields }: Exchange,
    error: unknown,
    at: RoutedPath | undefined,
  ): Answer {
    logError(error, {
      method: request.method,
      path: pathOf(request.url!),
      address: client.address,
      requestId,
      trace: traceOf(request.headers),
      hasKey: request.headers.authorization !== undefined,
      fields,
    });
    const answer = errorAnswer(error, longestRetryAfterS);
    const refuse = at?.routes.get(request.method!)?.refuse;
    return refuse === undefined ? answer : inOtherWords(answer, error, refuse);
  }

  function sendAnswer(exchange: Exchange, at: RoutedPath | undefined, answer: Answer): void {
    send(exchange, answer, at?.path, cors.headersFor(at, exchange.request.headers.origin));
  }

  return (exchange, readFields) => {
    const { request } = exchange;
    let found = routes.find(pathOf(request.url!));
    let answer: Answer | Promise<Answer>;
    try {
      // A target that equals a path of the table, without a query, is in that form already.
      if (found?.at.path !== request.url) {
        request.url = originForm(request.url!);
        found = routes.find(pathOf(request.url));
      }
      requireProper(request);
      answer = answerOf(exchange, found, readFields, options);
    } catch (error) {
      answer = refusal(exchange, error, found?.at);
    }
    const at = found?.at;
    if (!(answer instanceof Promise)) return sendAnswer(exchange, at, answer);
    return answer.then(
      (made) => sendAnswer(exchange, at, made),
      (error: unknown) => sendAnswer(exchange, at, refusal(exchange, error, at)),
    );
  };
}

/** The error in the form of another protocol, with the headers that say when to try again. */
function inOtherWords(answer: Answer, error: unknown, refuse: (error: ServiceError) => Answer): Answer {
  const said = refuse(error instanceof ServiceError ? error : new ServiceError('internal_error'));
  const { 'Retry-After': retryAfter, Connection: connection } = answer.headers;
  return {
    ...said,
    headers: {
      ...said.headers,
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
      ...(connection !== undefined && { Connection: connection }),
    },
    ...(answer.code && { code: answer.code }),
  };
}

/** Throws a ServiceError if the request is refused before its endpoint is called. */
function answerOf(
  exchange: Exchange,
  found: FoundPath | undefined,
  readFields: ReadFields,
  { routes, guard, checkSite, cors, moderatorOf, otherwise }: HandleOptions,
): Answer | Promise<Answer> {
  const { request, client } = exchange;
  const { headers } = request;
  const method = request.method!;
  const url = request.url!;
  if (found === undefined) {
    if (otherwise !== undefined) return otherwise(request);
    exchange.key = guard.check(accessToNothing(pathOf(url)), headers.authorization)?.name;
    throw new ServiceError('not_found', {
      ...(routes.knownPaths !== '' && { message: `there is nothing at this path: try ${routes.knownPaths}` }),
    });
  }
  const { at, parameter } = found;
  if (method === 'OPTIONS') {
    const preflight = cors.preflight(at, headers);
    if (preflight !== undefined) return preflight;
  }
  const route = at.routes.get(method);
  const access = route?.access ?? at.accessOtherwise;
  const moderator = access === 'moderate' ? moderatorOf?.(request) : undefined;
  const key = moderator === undefined ? guard.check(access, headers.authorization)?.name : undefined;
  exchange.key = key;
  if (method === 'OPTIONS') return emptyAnswer(204, { Allow: at.allow });
  if (route === undefined) throw new ServiceError('method_not_allowed', { headers: { Allow: at.allow } });
  checkSite(route, { headers, client });
  const isGone = (): boolean => request.socket.destroyed;
  const ask = (fields: unknown, body?: Buffer): Promise<Answer> => {
    const asked: EndpointRequest = {
      headers,
      fields,
      query: queryOf(url),
      client,
      isGone,
      ...(key !== undefined && { key }),
      ...(moderator !== undefined && { moderator }),
      ...(body && { body }),
    };
    return route.endpoint(
      parameter === undefined ? asked : { ...asked, parameter: decodeParameter(parameter) },
    );
  };
  if (route.input === 'fields') return readFields().then((fields) => ask((exchange.fields = fields)));
  if (route.input !== 'bytes') return ask(undefined);
  return readBytes(exchange, route.mostBodyBytes ?? 0).then((body) => ask(undefined, body));
}

/**
 * Passes plain requests, which are nearly all, directly to the handle, without the CPU time of Koa, its router and its
 * body parser. All others go to `otherwise`, which reads bodies in another way. Both paths give the same answer.
 */
export function createFastPath(
  { routes, maxBodyBytes }: HandleOptions,
  handle: Handle,
  otherwise: Path,
): Path {
  return (exchange) => {
    const { request } = exchange;
    const url = request.url!;
    const route = routes.find(pathOf(url))?.at.routes.get(request.method!);
    if (route !== undefined && isPlain(request, route, maxBodyBytes))
      void handle(exchange, () => readPlainBody(request));
    else otherwise(exchange);
  };
}

/**
 * Whether it is a GET without a body, and with a query only where the route reads one; or a POST with a small body of
 * known length, or with a body that is read as bytes.
 */
function isPlain(request: IncomingMessage, { method, path, input }: Route, maxBodyBytes: number): boolean {
  const { headers } = request;
  const url = request.url!;
  return (
    request.httpVersion === '1.1' &&
    request.method === method &&
    (url === path || (isOriginForm(url) && (input === 'query' || !url.includes('?')))) &&
    headers['transfer-encoding'] === undefined &&
    hasPlainInput(request, method, input, maxBodyBytes)
  );
}

function hasPlainInput(
  request: IncomingMessage,
  method: Route['method'],
  input: Route['input'],
  maxBodyBytes: number,
): boolean {
  if (input === 'bytes') return request.headers.expect === undefined;
  if (input === 'fields') return method === 'POST' && hasPlainBody(request, maxBodyBytes);
  return method !== 'DELETE' && request.headers['content-length'] === undefined;
}
