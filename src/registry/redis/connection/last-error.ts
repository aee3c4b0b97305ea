/** What the last attempt to connect, or the last connection, ended with. */

import type { RedisClient } from './create-client.ts';

/** Returns a function that tells it, undefined when ioredis tells nothing. */
export function followErrors(client: RedisClient): () => Error | undefined {
  let current: Error | undefined;
  let last: Error | undefined;
  const remember = (error: Error): void => {
    if (current === undefined || !isCause(current)) current = error;
  };
  for (const event of ['error', 'node error']) client.on(event, remember);
  client.on('end', () => {
    last = current;
    current = undefined;
  });
  client.on('ready', () => {
    current = undefined;
  });
  return () => last;
}

/** Whether Redis, the certificate or the system says it; otherwise it is only what became of the connection. */
export function isCause(error: Error): boolean {
  const { name, code = '' } = error as NodeJS.ErrnoException;
  return (
    name === 'ReplyError' || (code !== '' && !/^(EPIPE|ECONNRESET|ETIMEDOUT|EPROTO|ERR_SSL_.*)$/.test(code))
  );
}
