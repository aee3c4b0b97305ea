/** CORS: pages of other origins may read what is listed and the health, and nothing else. Knows which headers say so. */

import type { IncomingHttpHeaders } from 'node:http';
import { emptyAnswer, type Answer, type AnswerHeaders } from './answer.ts';
import { allowedMethods, type Route } from './routes.ts';

export interface Cors {
  /** The headers of every answer of the route, errors included. */
  headersFor(route: Route | undefined, origin: string | undefined): AnswerHeaders;
  /**
   * The answer to a preflight, which needs no key. Undefined if the request is no preflight, or one that is not
   * granted.
   */
  preflight(route: Route | undefined, method: string, headers: IncomingHttpHeaders): Answer | undefined;
}

/** How long a browser may remember a preflight, in s. */
const PREFLIGHT_MAX_AGE_S = '86400';
const EXPOSED: AnswerHeaders = {
  'Access-Control-Expose-Headers': 'Age, ETag, Link, Retry-After, Warning, X-Request-Id',
};
const NONE: AnswerHeaders = {};
const ANY: AnswerHeaders = { 'Access-Control-Allow-Origin': '*', ...EXPOSED };
const OTHER: AnswerHeaders = { Vary: 'Origin' };

/** `origins`: those that are allowed, or `*` for any. An empty list switches CORS off. */
export function createCors(origins: readonly string[]): Cors {
  function headersFor(route: Route | undefined, origin: string | undefined): AnswerHeaders {
    if (origins.length === 0 || !route?.openToBrowsers) return NONE;
    if (origins.includes('*')) return ANY;
    if (origin === undefined || !origins.includes(origin)) return OTHER;
    return { 'Access-Control-Allow-Origin': origin, ...EXPOSED, ...OTHER };
  }

  return {
    headersFor,
    preflight(route, method, { origin, 'access-control-request-method': requested }) {
      if (method !== 'OPTIONS' || requested === undefined) return undefined;
      if (headersFor(route, origin)['Access-Control-Allow-Origin'] === undefined) return undefined;
      return emptyAnswer(204, {
        'Access-Control-Allow-Methods': allowedMethods(route!),
        'Access-Control-Allow-Headers': 'Authorization, If-None-Match, Last-Event-ID',
        'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
      });
    },
  };
}
