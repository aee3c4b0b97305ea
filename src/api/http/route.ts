/**
 * A route: one method of one path, and everything that HTTP needs to know about it. Limits, load shedding, CORS, keys,
 * metrics and the description of the API all read this record, so a room declares its offer in one place.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { ApiOptions, Operation } from '../docs/openapi/operation.ts';
import { once } from '../work/once.ts';
import type { ServiceError } from '../../model/service-error.ts';
import type { Answer } from './answer.ts';
import type { Client } from './client.ts';
import type { Access } from './guard.ts';

/**
 * The kinds by which requests are limited and shed. `join`: a request that tries a join code. `doctor`: one that asks
 * why a game server is not listed.
 */
export const REQUEST_KINDS = ['broadcast', 'ping', 'remove', 'list', 'join', 'doctor', 'report'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export interface Route {
  /** A GET that only reads also answers HEAD, except for moderators. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The last part, or the one before, may be open, as in `/servers/{id}`. */
  readonly path: string;
  readonly endpoint: Endpoint;
  /** The key that a request needs. */
  readonly access: Access;
  /** Undefined for a route without limits. */
  readonly kind?: RequestKind | undefined;
  /** Whether a request is of the kind, where some requests of the route have no limits. */
  readonly isOfKind?: (request: EndpointRequest) => boolean;
  /** The input of the endpoint besides the path: fields from a body or a query, or the query or the body as it came. */
  readonly input: 'fields' | 'query' | 'bytes' | 'nothing';
  /** The longest body, for an input of bytes. */
  readonly mostBodyBytes?: number;
  /** Renders an error in the form of another protocol; the envelope of the API by default. */
  readonly refuse?: (error: ServiceError) => Answer;
  /**
   * The pages of other origins that may use the path: those of --cors-origin may read, those of --cors-write-origin may
   * write. All routes of a path share it.
   */
  readonly cors: 'reading' | 'writing' | 'nothing';
  /** Absent for a route of another protocol than this API. */
  readonly describe?: Describe;
}

export interface EndpointRequest {
  readonly headers: IncomingHttpHeaders;
  /** The body or the query, parsed but not yet validated; undefined for an endpoint without fields. */
  readonly fields: unknown;
  /** The body as it came, for an endpoint that reads bytes. */
  readonly body?: Buffer;
  /** The query of the target without its ?, still percent-encoded; '' if there is none. */
  readonly query: string;
  readonly client: Client;
  /** The name of the key by which it was let in, if the key has one. */
  readonly key?: string;
  /** The moderator whom a proxy has signed in; the request needed no key then. */
  readonly moderator?: string;
  /** The open part of the path, percent-decoded, where the route has one. */
  readonly parameter?: string;
  /** Whether the client has hung up. */
  readonly isGone?: () => boolean;
}

/** Turns a request into an Answer. Rejects with a ServiceError if the request is refused. */
export type Endpoint = (request: EndpointRequest) => Promise<Answer>;

/** The route with another endpoint for the requests that are of its kind. */
export function withLimits(route: Route, limited: Endpoint): Route {
  const { isOfKind = () => true, endpoint: free } = route;
  return { ...route, endpoint: (request) => (isOfKind(request) ? limited(request) : free(request)) };
}

/** Describes the operation for a service with such options. */
export type Describe = (options: ApiOptions) => Promise<Operation>;

/**
 * Finds the descriptions of a room by the names under which its module exports them. The module is loaded when a
 * description is first needed, so that it does not delay the start of a service.
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
 * Finds the endpoints of a room by their names. They are made for the first request to one of them, which waits: the
 * code that checks fields takes as long to load and compile as all the rest of a start.
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

/** Whether requests to the route may change something: all but GET do, and so does a GET by which pages write. */
export function changesSomething({ method, cors }: Pick<Route, 'method' | 'cors'>): boolean {
  return method !== 'GET' || cors === 'writing';
}
