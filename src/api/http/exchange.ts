/** A request with its response, and the record of it once it is answered. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../model/errors.ts';
import type { Encoding } from '../../registry/snapshot/snapshot.ts';
import type { Client } from './client.ts';
import { requestIdOf } from './request-id.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  readonly requestId: string;
  /** ms of a clock that cannot be set. */
  readonly receivedAt: number;
  /** The fields that the request had, once they are read; not yet validated. */
  fields: unknown;
  /** The name of the key by which it was let in, if the key has one. */
  key: string | undefined;
}

/** Answers the request of the exchange. */
export type Path = (exchange: Exchange) => void;

export function beginExchange(request: IncomingMessage, response: ServerResponse, client: Client): Exchange {
  return {
    request,
    response,
    client,
    requestId: requestIdOf(request.headers),
    receivedAt: performance.now(),
    fields: undefined,
    key: undefined,
  };
}

/** An exchange whose answer was handed to the connection. */
export interface Answered {
  readonly exchange: Exchange;
  /** The path in the table of routes, such as `/servers/{id}`; undefined if the path has no route. */
  readonly route: string | undefined;
  readonly status: number;
  /** The code of the error; undefined for other answers. */
  readonly code: ErrorCode | undefined;
  /** The length of the body; 0 for a body without a known end. */
  readonly bytes: number;
  readonly encoding: Encoding;
  /** The time from the request to the answer, without the time that the client takes to read it. */
  readonly durationMs: number;
}
