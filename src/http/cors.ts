/**
 * CORS: which pages of other origins may read what is listed and the health, and which ones may send what game servers
 * send. Knows which headers say so. That a page writes without asking is refused elsewhere (cross-site.ts).
 */

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

/** The origins that are allowed, or `*` for any. An empty list allows none. */
export type CorsOrigins = Readonly<Record<'reading' | 'writing', readonly string[]>>;

/** How long a browser may remember a preflight, in s. */
const PREFLIGHT_MAX_AGE_S = '86400';
/** The headers that pages may read, and those that they may send. */
const HEADERS = {
  reading: {
    exposed: 'Age, ETag, Link, Retry-After, Warning, X-Request-Id',
    taken: 'Authorization, If-None-Match, Last-Event-ID',
  },
  writing: {
    exposed:
      'Retry-After, Server-Join-Code, Server-Ping-Interval, Server-TTL, Server-Token, Server-Verification, X-Request-Id',
    taken: 'Authorization, Content-Type, Idempotency-Key, Server-Token',
  },
} as const;
const NONE: AnswerHeaders = {};
const OTHER: AnswerHeaders = { Vary: 'Origin' };

export function createCors(origins: CorsOrigins): Cors {
  const grants = { reading: grantsOf('reading', origins), writing: grantsOf('writing', origins) };

  function headersFor(route: Route | undefined, origin: string | undefined): AnswerHeaders {
    if (route === undefined || route.openToBrowsers === 'nothing') return NONE;
    return grants[route.openToBrowsers](origin);
  }

  return {
    headersFor,
    preflight(route, method, { origin, 'access-control-request-method': requested }) {
      if (method !== 'OPTIONS' || requested === undefined) return undefined;
      if (route === undefined || route.openToBrowsers === 'nothing') return undefined;
      if (headersFor(route, origin)['Access-Control-Allow-Origin'] === undefined) return undefined;
      return emptyAnswer(204, {
        'Access-Control-Allow-Methods': allowedMethods(route),
        'Access-Control-Allow-Headers': HEADERS[route.openToBrowsers].taken,
        'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
      });
    },
  };
}

/** The headers that answer pages of an origin. */
function grantsOf(
  use: keyof CorsOrigins,
  { [use]: origins }: CorsOrigins,
): (origin: string | undefined) => AnswerHeaders {
  const exposed = { 'Access-Control-Expose-Headers': HEADERS[use].exposed };
  const any = { 'Access-Control-Allow-Origin': '*', ...exposed };
  return (origin) => {
    if (origins.length === 0) return NONE;
    if (origins.includes('*')) return any;
    if (origin === undefined || !origins.includes(origin)) return OTHER;
    return { 'Access-Control-Allow-Origin': origin, ...exposed, ...OTHER };
  };
}
