/**
 * The id of a request, by which its lines are found in the logs of load balancers and replicas. This file knows one
 * header of HTTP.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HARMLESS_ID } from '../docs/openapi/header-forms.ts';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** A random text that other replicas do not share. */
const prefix = randomBytes(6).toString('hex');
let made = 0;

/** The id that the client or a load balancer gave the request, if it is harmless; otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && HARMLESS_ID.test(given) ? given : createRequestId();
}

/** An id that no other request has. */
export function createRequestId(): string {
  made += 1;
  return `${prefix}-${made.toString(36)}`;
}
