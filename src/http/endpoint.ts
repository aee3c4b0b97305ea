/** The contract of an endpoint: a request in, an Answer out. Knows neither Koa nor sockets, nor any one endpoint. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './answer.ts';
import type { Client } from './client.ts';

export interface EndpointRequest {
  readonly headers: IncomingHttpHeaders;
  /** The body or the query, parsed but not yet validated; undefined where an endpoint takes none. */
  readonly fields: unknown;
  /** The query of the target without its ?, still percent-encoded; '' if there is none. */
  readonly query: string;
  readonly client: Client;
  /** The last part of the path, percent-decoded, where the route leaves it open. */
  readonly parameter?: string;
  /** Whether the client has hung up. */
  readonly isGone?: () => boolean;
}

/** Rejects with a ServiceError when the request is refused. */
export type Endpoint = (request: EndpointRequest) => Promise<Answer>;
