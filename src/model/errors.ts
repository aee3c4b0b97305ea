/**
 * The closed table of the errors that clients see, and the one error class, which carries a row of it. Clients match
 * on the code. The documentation lists the table, and a test compares the two. Knows the status numbers of HTTP and
 * nothing else of it, and nothing of the registry.
 */

interface ErrorRow {
  /** HTTP status of the answer. */
  readonly status: number;
  /** The text for people, where the error has no more precise one. */
  readonly message: string;
}

export const ERRORS = {
  invalid_json: { status: 400, message: 'the body is not valid JSON' },
  invalid_request: { status: 400, message: 'the request is invalid' },
  invalid_query: { status: 400, message: 'the query is invalid' },
  invalid_cursor: {
    status: 400,
    message: 'this cursor is not one of this query: begin again without it, with the same sort throughout',
  },
  unauthorized: { status: 401, message: 'a valid key is needed in the Authorization header' },
  cross_site: { status: 403, message: 'a web page of another site may not send this' },
  not_owner: {
    status: 403,
    message:
      'this entry is claimed: send its Server-Token, which the answer to its broadcast has, or broadcast anew',
  },
  banned: { status: 403, message: 'banned' },
  server_token_required: {
    status: 403,
    message:
      'this service needs a Server-Token: broadcast again, and send the one of the answer with each ping and remove',
  },
  ip_mismatch: {
    status: 403,
    message:
      'server_ip is not the IP this server_id was registered with: if the address of the game server has changed, broadcast with your Server-Token, which keeps the id',
  },
  source_mismatch: { status: 403, message: 'server_ip is not the address the request came from' },
  unknown_server: { status: 404, message: 'no server is registered under this server_id: broadcast again' },
  unknown_join_code: { status: 404, message: 'no server has this join code: it may have left' },
  unknown_ban: { status: 404, message: 'no ban has this id' },
  not_found: { status: 404, message: 'there is nothing at this path' },
  method_not_allowed: { status: 405, message: 'this path does not take this method' },
  not_acceptable: { status: 406, message: 'the answer is available plain or in gzip: accept one of them' },
  request_timeout: { status: 408, message: 'the request did not arrive in time' },
  idempotency_key_used: {
    status: 409,
    message: 'the game server of this Idempotency-Key has left the list: broadcast with a new key',
  },
  too_many_bans: {
    status: 409,
    message: 'there are 10000 bans, and no more are possible: remove some that are no longer needed',
  },
  address_taken: {
    status: 409,
    message: 'another entry has this host, IP and port, and it is claimed',
  },
  body_too_large: { status: 413, message: 'the body is too large' },
  unsupported_encoding: { status: 415, message: 'send the body without a Content-Encoding' },
  quota_exceeded: { status: 429, message: 'too many servers are listed already' },
  rate_limited: {
    status: 429,
    message: 'too many requests of this kind from this address: wait as long as Retry-After says',
  },
  too_many_streams: { status: 429, message: 'too many streams are open: try again later, or poll' },
  headers_too_large: { status: 431, message: 'the request line and headers are too large' },
  internal_error: { status: 500, message: 'something went wrong on our side' },
  overloaded: { status: 503, message: 'this replica has more to do than it can: try again later' },
  shutting_down: { status: 503, message: 'this replica is about to stop: ask another one' },
  registry_unavailable: { status: 503, message: 'the registry cannot be reached right now: try again later' },
  http_version_not_supported: { status: 505, message: 'send the request as HTTP/1.1' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** One wrong field of a request, by the name the client used. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ServiceErrorOptions {
  /** Replaces the message of the table. Clients see it. */
  readonly message?: string;
  /** All wrong fields of the request. */
  readonly details?: readonly FieldError[];
  /** Additional headers of the answer, such as Allow. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A page of HTML that tells it to a person, in place of the usual body. */
  readonly page?: string | undefined;
  /** The error behind this one. It is logged, and clients never see it. */
  readonly cause?: unknown;
}

/** An error with a row of the table. Only the text of these errors reaches clients. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly page: string | undefined;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.page = options.page;
  }

  /** The same error with more headers. Its own win. */
  withHeaders(more: Readonly<Record<string, string | readonly string[]>>): ServiceError {
    return this.#with({ headers: { ...more, ...this.headers } });
  }

  /** The same error, told to a person by a page of HTML with these headers. */
  withPage(page: string, more: Readonly<Record<string, string | readonly string[]>>): ServiceError {
    return this.#with({ page, headers: { ...this.headers, ...more } });
  }

  #with(changes: ServiceErrorOptions): ServiceError {
    const { code, message, details, headers, page, cause } = this;
    return new ServiceError(code, {
      message,
      headers,
      page,
      cause,
      ...(details !== undefined && { details }),
      ...changes,
    });
  }
}
