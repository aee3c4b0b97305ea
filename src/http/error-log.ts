/** Logs the errors of requests: unexpected ones in full at level error, expected ones at level debug. */

import { ServiceError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';

export function logError(logger: Logger, error: unknown, method: string, path: string): void {
  const request = { method, path };
  if (!(error instanceof ServiceError)) {
    if (isHangUp(error)) logger.debug(request, 'the client hung up');
    else logger.error({ err: error, ...request }, 'a request failed unexpectedly');
  } else {
    const cause = error.cause === undefined ? {} : { err: error.cause };
    logger.debug({ code: error.code, reason: error.message, ...cause, ...request }, 'a request was refused');
  }
}

/** Whether the error says that the client closed the connection, which is no defect. */
export function isHangUp(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'ECONNABORTED' ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}
