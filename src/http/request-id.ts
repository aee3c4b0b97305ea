/** The id of a request, by which its lines in the logs of load balancers and replicas are found. Knows of HTTP one header. */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What a header, a log and a URL carry as it is: UUIDs, hex, base64, and ids such as Root=1-67891233-abcdef. */
export const HARMLESS_ID = /^[\w.:=+/@-]{1,128}$/;

/** Other replicas have other ones. */
const prefix = randomBytes(6).toString('hex');
let made = 0;

/** The id that the client or a load balancer gave the request, if it is harmless; else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && HARMLESS_ID.test(given) ? given : createRequestId();
}

/** An id that no other request has. */
export function createRequestId(): string {
  made += 1;
  return `${prefix}-${made.toString(36)}`;
}
