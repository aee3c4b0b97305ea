/**
 * The id of a request, by which its lines in the logs of load balancers and replicas are found. Knows of HTTP one
 * header.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HARMLESS_ID } from '../docs/openapi/header-forms.ts';

export const REQUEST_ID_HEADER = 'X-Request-Id';

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
