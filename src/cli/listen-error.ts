/** Why the service cannot start, in one line that says what to do. Reads no process. */

import type { Config } from '../config/config.ts';

/** Gives any other error its own message. */
export function explainListenError(error: unknown, config: Pick<Config, 'host' | 'port'>): Error {
  return new Error(messageOf(error as NodeJS.ErrnoException, config), { cause: error });
}

function messageOf(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is already in use: stop the program that uses it, or choose another port with --port`;
    case 'EACCES':
      return `port ${port} is not allowed for this user: choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is not an address of this machine: choose another with --host`;
    default:
      return message;
  }
}
