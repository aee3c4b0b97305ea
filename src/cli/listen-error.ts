/** Why the service cannot start, in one line that says what to do. Reads no process. */

import type { Config } from '../config/config.ts';
import { OpsPortError } from '../ops/ops-port.ts';

/** What was listened on, and the prefix of the flags that say so. */
interface Listening {
  readonly host: string;
  readonly port: number | undefined;
  readonly flags: '--' | '--ops-';
}

/** Gives any other error its own message. */
export function explainListenError(
  error: unknown,
  { host, port, opsHost, opsPort }: Pick<Config, 'host' | 'port' | 'opsHost' | 'opsPort'>,
): Error {
  const message =
    error instanceof OpsPortError
      ? messageOf(error.cause as NodeJS.ErrnoException, { host: opsHost, port: opsPort, flags: '--ops-' })
      : messageOf(error as NodeJS.ErrnoException, { host, port, flags: '--' });
  return new Error(message, { cause: error });
}

function messageOf({ code, message }: NodeJS.ErrnoException, { host, port, flags }: Listening): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is already in use: stop the program that uses it, or choose another port with ${flags}port`;
    case 'EACCES':
      return `port ${port} is not allowed for this user: choose one above 1023 with ${flags}port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is not an address of this machine: choose another with ${flags}host`;
    default:
      return message;
  }
}
