/**
 * CORS: pages of which other origins may read the list and the health, and which may send what game servers send. Here
 * are the headers for it. Writes that a page sends without asking are refused elsewhere (cross-site.ts).
 */

import type { IncomingHttpHeaders } from 'node:http';
import { emptyAnswer, type Answer, type AnswerHeaders } from './answer.ts';
import type { RoutedPath } from './routes.ts';

export interface Cors {
  /** The headers of every answer at the path, errors included. */
  headersFor(at: RoutedPath | undefined, origin: string | undefined): AnswerHeaders;
  /**
   * The answer to an OPTIONS request that is a preflight, which needs no key. Undefined for another request, or for a
   * preflight that is refused.
   */
  preflight(at: RoutedPath, headers: IncomingHttpHeaders): Answer | undefined;
}

/** The origins that are allowed, with `*` for any. An empty list allows none. */
export type CorsOrigins = Readonly<Record<'reading' | 'writing', readonly string[]>>;

/** How long a browser may remember a preflight, in s. */
const PREFLIGHT_MAX_AGE_S = '86400';
/** The headers of answers that pages may read, and those of requests that pages may send. */
const HEADERS = {
  reading: {
    exposed: 'Age, ETag, Link, Retry-After, Warning, X-Request-Id',
    taken: 'Authorization, If-None-Match, Last-Event-ID',
  },
  writing: {
    exposed:
      'Retry-After, Server-Beacons, Server-Join-Code, Server-Ping-Interval, Server-TTL, Server-Token, Server-Verification, X-Request-Id',
    taken: 'Authorization, Content-Type, Idempotency-Key, Server-Token',
  },
} as const;
const NONE: AnswerHeaders = {};
const OTHER: AnswerHeaders = { Vary: 'Origin' };

export function createCors(origins: CorsOrigins): Cors {
  const grants = { reading: grantsOf('reading', origins), writing: grantsOf('writing', origins) };

  function headersFor(at: RoutedPath | undefined, origin: string | undefined): AnswerHeaders {
    return at === undefined || at.cors === 'nothing' ? NONE : grants[at.cors](origin);
  }

  return {
    headersFor,
    preflight(at, { origin, 'access-control-request-method': requested }) {
      if (requested === undefined || at.cors === 'nothing') return undefined;
      if (headersFor(at, origin)['Access-Control-Allow-Origin'] === undefined) return undefined;
      return emptyAnswer(204, {
        'Access-Control-Allow-Methods': at.allow,
        'Access-Control-Allow-Headers': HEADERS[at.cors].taken,
        'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
      });
    },
  };
}

/** The headers for pages of an origin. */
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
