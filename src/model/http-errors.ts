/**
 * The errors of HTTP itself: what is wrong with a request, whatever it asks for. See errors.ts, whose table they join.
 */

/** What is said of an error. */
export interface ErrorRow {
  /** HTTP status of the answer. */
  readonly status: number;
  /** The text of the answer, where the error has no more precise one. */
  readonly message: string;
  /** The sentence by which the doctor names the case, without its full stop. */
  readonly says: string;
  /** The one next step of a person who runs a game server, likewise. */
  readonly nextStep: string;
  /** Sentences in Markdown that docs/reference/errors.md adds for authors of clients. */
  readonly forClients?: string;
}

export const HTTP_ERRORS = {
  invalid_json: {
    status: 400,
    message: 'the body is not valid JSON',
    says: 'the service could not read a request: its body was not valid JSON',
    nextStep: 'correct the program that sends it: the body must be a JSON object',
  },
  not_found: {
    status: 404,
    message: 'there is nothing at this path',
    says: 'there is nothing at this path',
    nextStep: 'correct the URL of the service: it may have a prefix, or be another service',
    forClients: 'Some paths exist only [with an option](../troubleshoot.md#404-not_found-unknown_registry).',
  },
  method_not_allowed: {
    status: 405,
    message: 'this path does not take this method',
    says: 'the path does not take this method',
    nextStep: 'use a method that the header Allow names',
  },
  not_acceptable: {
    status: 406,
    message: 'the answer is available plain or in gzip: accept one of them',
    says: 'the program takes no encoding in which the answer is ready',
    nextStep: 'accept gzip or identity in the header Accept-Encoding',
  },
  request_timeout: {
    status: 408,
    message: 'the request did not arrive in time',
    says: 'a request did not arrive in time',
    nextStep: 'look for what makes the connection slow, and send the request again',
  },
  body_too_large: {
    status: 413,
    message: 'the body is too large',
    says: 'a request was larger than the service takes',
    nextStep: 'say less in meta',
    forClients: 'The limit is `--max-body`. Send only the fields of the API.',
  },
  unsupported_encoding: {
    status: 415,
    message: 'send the body without a Content-Encoding',
    says: 'a request was compressed, which the service does not take',
    nextStep: 'send the body without a Content-Encoding',
  },
  headers_too_large: {
    status: 431,
    message: 'the request line and headers are too large',
    says: 'the headers of a request were larger than the service takes',
    nextStep: 'send fewer and shorter headers',
    forClients: 'Request line and headers may have 8 KiB. Send the fields of a ping in the body.',
  },
  internal_error: {
    status: 500,
    message: 'something went wrong on our side',
    says: 'something went wrong in the service',
    nextStep: 'tell the operator of the service, with the X-Request-Id of the answer',
    forClients: 'Try again later, with growing pauses.',
  },
  http_version_not_supported: {
    status: 505,
    message: 'send the request as HTTP/1.1',
    says: 'a request was not HTTP/1.1',
    nextStep: 'look for a proxy in between that speaks another version',
  },
} as const satisfies Record<string, ErrorRow>;
