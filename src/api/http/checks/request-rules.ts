/**
 * The rules of RFC 9112 that Node's parser does not check: a supported version, one valid Host, a valid target, a known
 * Transfer-Encoding.
 */

import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../../model/service-error.ts';

/**
 * A host name, an IPv4 address or an IPv6 address in brackets, and a port; empty where the target has no authority.
 * Only bytes of a name in UTF-8 may be escaped: programs differ about an escaped control character or delimiter.
 */
const AUTHORITY = String.raw`(?:(?:[\w.~!$&'()*+,;=-]|%[89a-f][\da-f])*|\[[\da-f:.]+\])(?::\d*)?`;
const HOST = new RegExp(`^${AUTHORITY}$`, 'i');
/** Only http and https; a user before the host is an error (RFC 9110 section 4.2.4). */
const ABSOLUTE_FORM = new RegExp(String.raw`^https?://(?![:/?]|$)${AUTHORITY}(?<rest>[/?].*)?$`, 'i');
/** The characters of RFC 3986 and those that browsers do not escape: no fragment, and printable ASCII alone. */
const ORIGIN_FORM = /^\/[!"$-~]*$/;

/** A proxy may have read such a request differently, and so the bytes behind it. */
const CLOSE = { Connection: 'close' };

/**
 * Throws a ServiceError `http_version_not_supported` or `invalid_request` for a request that breaks RFC 9112 (sections
 * 2.3, 3.2 and 6.1).
 */
export function requireProper(request: IncomingMessage): void {
  const { httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new ServiceError('http_version_not_supported', { headers: CLOSE });
  const problem = hostProblem(request) ?? transferProblem(request);
  if (problem !== undefined) throw new ServiceError('invalid_request', { message: problem, headers: CLOSE });
}

/** The last Host header that was valid: most requests name the same host. */
let lastHost = '';

function hostProblem({ httpVersion, headers: { host }, rawHeaders }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'a Host header is needed';
  if (host !== lastHost && !HOST.test(host)) return 'the Host header must be a host, or a host and a port';
  lastHost = host;
  // Of several Host headers, `headers` holds only the first.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? 'exactly one Host header is needed' : undefined;
}

/** With a coding other than chunked, or any coding in HTTP/1.0, the end of a body is unknown. */
function transferProblem({ httpVersion, headers }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked')) return undefined;
  return 'the only supported Transfer-Encoding is chunked, in HTTP/1.1';
}

/** Whether the target is a path with its query, in characters that a target may have. */
export function isOriginForm(target: string): boolean {
  return ORIGIN_FORM.test(target);
}

/**
 * The target as a path with its query. The absolute form (RFC 9112 section 3.2.2) becomes its path, whatever its host;
 * `*` stays. Throws a ServiceError `invalid_request`.
 */
export function originForm(target: string): string {
  if (isOriginForm(target) || target === '*') return target;
  const absolute = ABSOLUTE_FORM.exec(target);
  const { rest = '/' } = absolute?.groups ?? {};
  const path = rest.startsWith('?') ? `/${rest}` : rest;
  if (absolute !== null && ORIGIN_FORM.test(path)) return path;
  throw new ServiceError('invalid_request', {
    message:
      'the request target must be a path or an http URL, with # and all but printable ASCII escaped by %',
    headers: CLOSE,
  });
}

/** The target without its query. The target need not be valid. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/** The query of the target without its ?, as it stands there; '' if there is none. The target need not be valid. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? '' : target.slice(query + 1);
}
