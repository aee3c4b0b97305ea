/**
 * What RFC 9112 asks of a request beyond what Node's parser checks: a version we speak, one proper Host, a target.
 * Knows no routes.
 */

import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';

/** A host name, an IPv4 address or an IPv6 one in brackets, and a port; nothing where the target has no authority. */
const AUTHORITY = String.raw`(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?`;
const HOST = new RegExp(`^${AUTHORITY}$`, 'i');
/** http and https alone; a user before the host is an error (RFC 9110 section 4.2.4). */
const ABSOLUTE_FORM = new RegExp(String.raw`^https?://(?![:/?]|$)${AUTHORITY}(?<rest>[/?].*)?$`, 'i');
/** As RFC 3986 has it, and what browsers leave unescaped as well: but no fragment, and nothing that is no ASCII. */
const ORIGIN_FORM = /^\/[!"$-~]*$/;

/** Another program on the way may have read such a request differently, and so what follows it. */
const CLOSE = { Connection: 'close' };

/** Whether the request is in HTTP/1.1, not in chunks, and requireProper() has nothing to say of it. */
export function isProper(request: IncomingMessage): boolean {
  return (
    request.httpVersion === '1.1' &&
    hostProblem(request) === undefined &&
    request.headers['transfer-encoding'] === undefined
  );
}

/** Throws the ServiceError of a request that is not as RFC 9112 asks for it (sections 2.3, 3.2 and 6.1). */
export function requireProper(request: IncomingMessage): void {
  const { httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new ServiceError('http_version_not_supported', { headers: CLOSE });
  const problem = hostProblem(request) ?? transferProblem(request);
  if (problem !== undefined) throw new ServiceError('invalid_request', { message: problem, headers: CLOSE });
}

function hostProblem({ httpVersion, headers: { host }, rawHeaders }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'a Host header is needed';
  if (!HOST.test(host)) return 'the Host header must be a host, or a host and a port';
  // Node keeps the first of several.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? 'one Host header is needed, not several' : undefined;
}

/** Of a body in HTTP/1.0, or in a coding we do not undo, nothing is sure, not even its end. */
function transferProblem({ httpVersion, headers }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked')) return undefined;
  return 'the only Transfer-Encoding is chunked, in HTTP/1.1';
}

/**
 * The target as a path with its query: the absolute form (RFC 9112 section 3.2.2) means the same, whichever host it
 * names. `*` stays. Throws a ServiceError `invalid_request`.
 */
export function originForm(target: string): string {
  if (ORIGIN_FORM.test(target) || target === '*') return target;
  const absolute = ABSOLUTE_FORM.exec(target);
  const { rest = '/' } = absolute?.groups ?? {};
  const path = rest.startsWith('?') ? `/${rest}` : rest;
  if (absolute !== null && ORIGIN_FORM.test(path)) return path;
  throw new ServiceError('invalid_request', {
    message:
      'the request target must be a path, or an http URL: escape with % what is no printable ASCII, and #',
    headers: CLOSE,
  });
}

/** The target without its query, be it a proper one or not. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
