/**
 * Sends every error of a request to the log and the metrics: unexpected ones in full at level error, expected ones at
 * level debug, with fields that identify the request.
 */

import type { ErrorCode } from '../../model/errors.ts';
import type { Finding } from '../../model/findings.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { TraceContext } from './trace-context.ts';

/** The request that failed. Bytes that are no request have neither method nor path. */
export interface FailedRequest {
  readonly method?: string | undefined;
  /** The path without the query. */
  readonly path?: string | undefined;
  /** The address of the client, in canonical form; undefined if the connection is gone. */
  readonly address: string | undefined;
  readonly requestId: string;
  readonly trace?: TraceContext | undefined;
  /** Whether it carries a key, valid or not. */
  readonly hasKey?: boolean;
  /** Its fields, not yet validated, if they were read. They are never logged. */
  readonly fields?: unknown;
}

/** The request that an error answer refused, and why. */
export interface Refused {
  /** Without the query. */
  readonly path: string | undefined;
  /** The details of the very case, without what the code says of it (ServiceError). */
  readonly about: string | undefined;
  readonly finding?: Finding | undefined;
  readonly fields?: unknown;
}

/** Takes the error of a request. */
export type ErrorLog = (error: unknown, request: FailedRequest) => void;

export interface ErrorLogOptions {
  readonly logger: Logger;
  /** Gets the code of every error answer, and the address of the client; of an expected one also what it was. */
  readonly onRefused: (code: ErrorCode, address: string | undefined, refused?: Refused) => void;
  /** Gets the address of a client whose key was refused, as it may be logged. */
  readonly onWrongKey?: (address: string | undefined) => void;
  /** The address as it may be logged; undefined if it may not be. */
  readonly maskAddress: (address: string | undefined) => string | undefined;
  /** The text with its addresses as they may be logged. */
  readonly maskText: (text: string) => string;
}

export function createErrorLog({
  logger,
  onRefused,
  onWrongKey,
  maskAddress,
  maskText,
}: ErrorLogOptions): ErrorLog {
  return (error, { path, address, trace, hasKey = false, fields, ...others }) => {
    const request = { ...others, path: path && withoutUser(path), address: maskAddress(address), ...trace };
    if (error instanceof ServiceError) {
      const { about, finding, key } = error;
      onRefused(error.code, address, { path, about, finding, fields });
      if (error.code === 'unauthorized' && hasKey) onWrongKey?.(request.address);
      const more = { ...(key && { key }), ...(error.cause !== undefined && { err: error.cause }) };
      logger.debug(
        { code: error.code, reason: maskText(error.message), ...more, ...request },
        'a request was refused',
      );
    } else if (isHangUp(error)) logger.debug(request, 'the client hung up');
    else {
      onRefused('internal_error', address);
      logger.error({ err: error, ...request }, 'a request failed unexpectedly');
    }
  };
}

/**
 * The path of a URL may follow a user and a password, as in `http://user:password@host/path` or
 * `user:password@host:443`.
 */
function withoutUser(path: string): string {
  return path.replace(/(^|\/\/)[^/]*@/, '$1');
}

/** Whether the error means that the client closed the connection, which is no defect. */
export function isHangUp(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'ECONNABORTED' ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}
