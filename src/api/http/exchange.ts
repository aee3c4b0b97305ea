/** A request with its answer, and what is told of it once it is answered. */

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
  };
}

/** An exchange whose answer was handed to the connection. */
export interface Answered {
  readonly exchange: Exchange;
  /** The path of the table of routes, such as `/servers/{id}`; undefined if the path has no route. */
  readonly route: string | undefined;
  readonly status: number;
  /** Of an error. */
  readonly code: ErrorCode | undefined;
  /** Of the body; 0 of one that has no end yet. */
  readonly bytes: number;
  readonly encoding: Encoding;
  /** From the request to the answer; the time that the client takes to read it is not in it. */
  readonly durationMs: number;
}
