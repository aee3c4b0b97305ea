/** The one place that decides what of an error leaves the house. */

import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { errorAnswer, type Answer } from './answer.ts';
import type { Logger } from './logger.ts';

/** Sends the answer. */
export function reply(ctx: Context, answer: Answer): void {
  ctx.status = answer.status;
  ctx.set(answer.headers as Record<string, string | string[]>);
  ctx.body = answer.status === 204 || answer.status === 304 ? null : answer.body;
}

/** Whatever is thrown further in becomes the error envelope; what was not foreseen is logged in full. */
export function handleErrors(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logError(logger, error, ctx.method, ctx.path);
      reply(ctx, errorAnswer(error));
    }
  };
}

export function logError(logger: Logger, error: unknown, method: string, path: string): void {
  const request = { method, path };
  if (!(error instanceof ServiceError)) {
    if (isHangUp(error)) logger.debug(request, 'the client hung up');
    else logger.error({ err: error, ...request }, 'a request failed unexpectedly');
  } else if (error.cause !== undefined) {
    logger.debug({ err: error.cause, code: error.code, ...request }, 'a request was refused');
  } else {
    logger.debug({ code: error.code, reason: error.message, ...request }, 'a request was refused');
  }
}

/** Clients go away in the middle of things; that is nobody's fault. */
export function isHangUp(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'ECONNABORTED' ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}
