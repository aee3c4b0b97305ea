/** The one error class, which carries a row of the table of errors. */

import { ERRORS, type ErrorCode } from './errors.ts';
import { detailOf, type Finding } from './findings.ts';

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
  /** The finding of the doctor, if that is more precise than the code. */
  readonly finding?: Finding | undefined;
  /** What the doctor says of the very case, without advice; '' for nothing. By default detailOf() the message. */
  readonly about?: string | undefined;
  /** The name of the key that was refused. It is logged, and clients never see it. */
  readonly key?: string | undefined;
}

/** An error with a row of the table. Only the text of these errors reaches clients. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly page: string | undefined;
  readonly finding: Finding | undefined;
  readonly about: string | undefined;
  readonly key: string | undefined;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.page = options.page;
    this.finding = options.finding;
    this.key = options.key;
    this.about = options.about ?? detailOf(code, this.message);
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
    const { code, message, details, headers, page, cause, finding, about, key } = this;
    return new ServiceError(code, {
      message,
      headers,
      page,
      cause,
      finding,
      about,
      key,
      ...(details !== undefined && { details }),
      ...changes,
    });
  }
}
