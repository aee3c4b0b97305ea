/**
 * A connection to Redis for as long as the process lives. It reconnects whenever the connection is lost, closes it in
 * time when another Redis becomes the master, and checks each Redis for risks. Only this file reconnects: each of
 * ioredis' own ways to retry has a case in which it ends for good, such as a message of a failover that arrives while
 * the sentinels are asked.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { DEADLINES } from '../../../runtime/deadlines.ts';
import { DISCONNECT_TIMEOUT_MS, sentinelConnectionOptions } from './connection-options.ts';
import { createClient, type RedisClient } from './create-client.ts';
import { diagnose } from './diagnose.ts';
import { LastTakeover, watchFailovers } from './failovers.ts';
import type { HostAndPort, RedisAddress } from './redis-address.ts';
import { watchRisks, type RiskListener } from './risks.ts';

export interface RedisEvents {
  /** Redis answers (again); in a Cluster, at least one node does. */
  readonly onUp: () => void;
  /** The connection was lost, or could not be established. Called once, not at each attempt. */
  readonly onDown: (error: Error) => void;
  /** The connection was lost, or an attempt to connect failed. Called each time. */
  readonly onFailure: (error: Error) => void;
  /** A connected Redis has a risk. Called for each risk that this Redis did not have at the check before. */
  readonly onRisk: RiskListener;
}

export interface RedisConnection {
  readonly client: RedisClient;
  /** Resolves once Redis answers for the first time, the first attempt has failed, or `startMs` have passed. */
  readonly firstAttempt: Promise<void>;
  /** Finds out why there is no connection; undefined if there is one. It may take some seconds. Never rejects. */
  whyDown(): Promise<Error | undefined>;
  close(): Promise<void>;
}

const FAILING_OVER = new Error('the sentinels are choosing another master');
const CLOSED = new Error('the connection was closed');
const QUIT_TIMEOUT_MS = 500;

/** The shortest and the longest delay before an attempt: lists are complete within a second of the return of Redis. */
const RETRY_DELAYS_MS = {
  standalone: [50, 100],
  /** A failover is over only when all sentinels know of it. */
  sentinel: [200, 400],
  /** The old connections have to be closed: the end of an old one also ends a new one to the same node. */
  cluster: [2 * DISCONNECT_TIMEOUT_MS, 400],
} as const;
const RETRY_JITTER_MS = 50;

/** Begins to connect, and keeps trying until close(). Commands fail at once while there is no connection. */
export function connectRedis(
  address: RedisAddress,
  events: Partial<RedisEvents> = {},
  deadlines = DEADLINES,
): RedisConnection {
  const takeover = new LastTakeover();
  const client = createClient(address, deadlines, takeover.successorOf);
  const lastError = followErrors(client);
  let up: boolean | undefined;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  let failingOver = false;
  let closing = false;

  const connectLater = (): void => {
    clearTimeout(retry);
    // The sentinels name the old master until the failover is over.
    if (closing || failingOver) return;
    const delayMs = retryDelayMs(failures, RETRY_DELAYS_MS[address.kind]);
    retry = setTimeout(() => void client.connect().catch(() => undefined), delayMs);
  };

  const firstAttempt = new Promise<void>((resolve) => {
    client.on('ready', () => {
      if (up !== true) events.onUp?.();
      up = true;
      failures = 0;
      resolve();
    });
    // Every failure ends here, and only here does the next attempt begin: ioredis' own ways to retry can all give up.
    client.on('end', () => {
      if (!closing) {
        const error = failingOver ? FAILING_OVER : (lastError() ?? CLOSED);
        events.onFailure?.(error);
        if (up !== false) events.onDown?.(error);
      }
      up = false;
      resolve();
      connectLater();
      failures += 1;
    });
    setTimeout(resolve, deadlines.startMs).unref();
  });

  const stopChecks = watchRisks(client, (risk, where) => {
    if (!closing) events.onRisk?.(risk, where);
  });

  const stopWatching =
    address.kind === 'sentinel' &&
    watchFailovers(address, sentinelConnectionOptions(address, deadlines), {
      onBegin() {
        failingOver = true;
        clearTimeout(retry);
        client.disconnect(true);
      },
      onEnd(told) {
        failingOver = false;
        // Earlier failures say nothing about the new master.
        failures = 0;
        if (told !== undefined) takeover.note(told);
        if (client.status === 'end') connectLater();
        else if (told !== undefined && !isConnectedTo(client, told.master)) client.disconnect(true);
      },
    });

  return {
    client,
    firstAttempt,
    async whyDown() {
      if (up === true || closing) return undefined;
      if (failingOver) return FAILING_OVER;
      const error = lastError();
      return error !== undefined && isCause(error) ? error : diagnose(address, deadlines);
    },
    async close() {
      closing = true;
      clearTimeout(retry);
      stopChecks();
      if (stopWatching) stopWatching();
      await Promise.race([
        client.quit().catch(() => undefined),
        delay(QUIT_TIMEOUT_MS, undefined, { ref: false }),
      ]);
      client.disconnect();
    },
  };
}

/** Grows with the failures up to the longest delay. The jitter keeps replicas from coming back in step. */
function retryDelayMs(failures: number, [shortestMs, longestMs]: readonly [number, number]): number {
  const backoffMs = Math.min(shortestMs * 2 ** failures, longestMs);
  return backoffMs + Math.random() * RETRY_JITTER_MS;
}

function isConnectedTo(client: RedisClient, { host, port }: HostAndPort): boolean {
  if (!(client instanceof Redis)) return false;
  const { remoteAddress, remotePort } = client.stream;
  return remoteAddress === host && remotePort === port;
}

/**
 * Returns a function that returns the error with which the last connection, or attempt to connect, ended; undefined if
 * ioredis emitted none.
 */
function followErrors(client: RedisClient): () => Error | undefined {
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

/** Whether the error comes from Redis, the certificate or the system; others only say that the connection broke. */
function isCause(error: Error): boolean {
  const { name, code = '' } = error as NodeJS.ErrnoException;
  return (
    name === 'ReplyError' || (code !== '' && !/^(EPIPE|ECONNRESET|ETIMEDOUT|EPROTO|ERR_SSL_.*)$/.test(code))
  );
}
