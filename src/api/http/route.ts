/**
 * A route: one method of one path, and everything that HTTP has to know of it. Limits, load shedding, CORS, keys,
 * metrics and the description of the API read this record, so what a room offers is said in one place.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { ApiOptions, Operation } from '../docs/openapi/operation.ts';
import { once } from '../work/once.ts';
import type { ServiceError } from '../../model/service-error.ts';
import type { Answer } from './answer.ts';
import type { Access } from './auth.ts';
import type { Client } from './client.ts';

/**
 * By which requests are limited and shed. Of the kind `join` are those that try a join code, of the kind `doctor`
 * those that ask why a game server is not listed.
 */
export const REQUEST_KINDS = ['broadcast', 'ping', 'remove', 'list', 'join', 'doctor'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export interface Route {
  /** A GET that only reads takes HEAD as well, but for moderators. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The last part may be open, as in `/servers/{id}`. */
  readonly path: string;
  readonly endpoint: Endpoint;
  /** Which key a request needs. */
  readonly access: Access;
  /** Undefined for what is never limited. */
  readonly kind?: RequestKind | undefined;
  /** What the endpoint takes besides the path: fields from a body or a query, the query or the body as it stands. */
  readonly input: 'fields' | 'query' | 'bytes' | 'nothing';
  /** Of an input of bytes. */
  readonly mostBodyBytes?: number;
  /** Says an error in the words of another protocol; by default it is the envelope of the API. */
  readonly refuse?: (error: ServiceError) => Answer;
  /**
   * What pages of other origins may do: those of --cors-origin read, those of --cors-write-origin write. One for a
   * path.
   */
  readonly cors: 'reading' | 'writing' | 'nothing';
  /** Absent for what is not of this API, but of another protocol. */
  readonly describe?: Describe;
}

export interface EndpointRequest {
  readonly headers: IncomingHttpHeaders;
  /** The body or the query, parsed but not yet validated; undefined where an endpoint takes none. */
  readonly fields: unknown;
  /** The body as it stands, where an endpoint takes bytes. */
  readonly body?: Buffer;
  /** The query of the target without its ?, still percent-encoded; '' if there is none. */
  readonly query: string;
  readonly client: Client;
  /** The last part of the path, percent-decoded, where the route leaves it open. */
  readonly parameter?: string;
  /** Whether the client has hung up. */
  readonly isGone?: () => boolean;
}

/** A request in, an Answer out. Rejects with a ServiceError when the request is refused. */
export type Endpoint = (request: EndpointRequest) => Promise<Answer>;

/** Describes the operation for a service with such options. */
export type Describe = (options: ApiOptions) => Promise<Operation>;

/**
 * Finds the descriptions of a room by the names that its module exports them under. The module is loaded once somebody
 * asks for one: a service that is not asked starts no later for it.
 */
export function describedIn<Name extends string>(
  load: () => Promise<Readonly<Record<Name, Operation | ((options: ApiOptions) => Operation)>>>,
): (name: Name) => Describe {
  return (name) => async (options) => {
    const described = (await load())[name];
    return typeof described === 'function' ? described(options) : described;
  };
}

/**
 * Finds the endpoints of a room by their names. They are made for the first request to one of them, which waits: what
 * checks fields takes as long to load and compile as all the rest of a start.
 */
export function endpointsIn<Name extends string>(
  make: () => Promise<Readonly<Record<Name, Endpoint>>>,
): (name: Name) => Endpoint {
  const making = once(make);
  let made: Readonly<Record<Name, Endpoint>> | undefined;
  const afterMaking = async (name: Name, request: EndpointRequest): Promise<Answer> => {
    made = await making();
    return made[name](request);
  };
  return (name) => (request) => (made === undefined ? afterMaking(name, request) : made[name](request));
}

/** Whether requests to the route may change something: all but a GET, and of these what pages may write with. */
export function changesSomething({ method, cors }: Pick<Route, 'method' | 'cors'>): boolean {
  return method !== 'GET' || cors === 'writing';
}
