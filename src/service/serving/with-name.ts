/** Logs for one registry of several. */

import type { Logger } from '../../runtime/log/logger.ts';

/** A log whose lines say which registry they are about. */
export function withName(logger: Logger, registry: string): Logger {
  return {
    debug: (fields, message) => logger.debug({ registry, ...fields }, message),
    info: (fields, message) => logger.info({ registry, ...fields }, message),
    warn: (fields, message) => logger.warn({ registry, ...fields }, message),
    error: (fields, message) => logger.error({ registry, ...fields }, message),
  };
}
