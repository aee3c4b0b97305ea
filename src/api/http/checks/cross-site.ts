/**
 * Refuses requests that a web page of another site makes its reader's browser send. Such a request comes from the
 * address of the reader, and may carry the key that the browser keeps: so it may read, and change nothing unless its
 * origin is allowed. Other programs send none of these headers. This file knows the headers, and no endpoint.
 *
 * CORS alone would not do: it keeps a page from reading an answer, not from sending a form, an image or a text.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../../model/service-error.ts';
import type { Client } from '../client.ts';
import { changesSomething, type Route } from '../route.ts';

/** Throws a ServiceError `cross_site` if the request is refused. */
export type SiteCheck = (route: Route, request: SiteOfRequest) => void;

interface SiteOfRequest {
  readonly headers: IncomingHttpHeaders;
  readonly client: Client;
}

/** `writeOrigins`: the origins whose pages may write where a route is open to them, or `*` for any. */
export function createSiteCheck(writeOrigins: readonly string[]): SiteCheck {
  const isLet = (origin: string | undefined): boolean =>
    writeOrigins.includes('*') || (origin !== undefined && writeOrigins.includes(origin));

  return (route, request) => {
    if (!changesSomething(route) || !isOfAnotherSite(request)) return;
    if (route.cors !== 'writing') throw new ServiceError('cross_site');
    if (!isLet(request.headers.origin))
      throw new ServiceError('cross_site', {
        message: 'a web page of another site may send this only if its origin is in --cors-write-origin',
      });
  };
}

/**
 * Whether a page of another site sent the request. Browsers send no Sec-Fetch-Site to a service without TLS, and older
 * ones never do; the Origin decides then.
 */
function isOfAnotherSite({ headers, client }: SiteOfRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !isOwn(origin, ownHosts(headers, client));
}

/** Whether the origin is one of these hosts. `null`, the origin of a page without one, is not. */
function isOwn(origin: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return hosts.some((own) => {
    const url = `${protocol}//${own.trim()}`;
    return URL.canParse(url) && new URL(url).host === host;
  });
}

/** The hosts by which the request may have reached the service, from its Host header and those of trusted proxies. */
function ownHosts(headers: IncomingHttpHeaders, { doubt }: Client): readonly string[] {
  const { host = '', forwarded = '', 'x-forwarded-host': forwardedHost = '' } = headers;
  if (doubt === 'untrusted_proxy') return [host];
  // The position of a name in such a header does not matter, since a page cannot set the header.
  const named = [...forwarded.matchAll(/\bhost\s*=\s*"?([^",;\s]+)/gi)].map(([, name]) => name!);
  return [host, ...String(forwardedHost).split(','), ...named];
}
