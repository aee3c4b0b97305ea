/**
 * A connection to Redis for as long as the process lives: made again whenever it is lost, left in time when another
 * Redis becomes the master, and each Redis looked at as it is connected to. Knows nothing of registries.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient, DISCONNECT_TIMEOUT_MS, sentinelConnectionOptions } from './create-client.ts';
import { diagnose } from './diagnose.ts';
import { watchFailovers } from './failovers.ts';
import type { HostAndPort, RedisAddress } from './redis-address.ts';
import { watchRisks, type RiskListener } from './risks.ts';
import type { RedisClient } from '../scripts.ts';

export interface RedisEvents {
  /** Redis answers (again). Of a Cluster: one node at least. */
  readonly onUp: () => void;
  /** The connection was lost or could not be made; told once, not at each attempt. */
  readonly onDown: (error: Error) => void;
  /** Told of each Redis that is connected to, unless it was so the time before. */
  readonly onRisk: RiskListener;
}

export interface RedisConnection {
  readonly client: RedisClient;
  /** Resolves once Redis answers for the first time, or turns out not to, or has not by now. */
  readonly firstAttempt: Promise<void>;
  /** Why there is no connection, undefined if there is one. May ask around for it, for some seconds. Never rejects. */
  whyDown(): Promise<Error | undefined>;
  close(): Promise<void>;
}

const FAILING_OVER = new Error('the sentinels choose another master');
const CLOSED = new Error('the connection was closed');
const FIRST_ATTEMPT_MS = 2000;
const QUIT_TIMEOUT_MS = 500;

/** The shortest and the longest: lists are to be complete within a second of Redis coming back. */
const RETRY_DELAYS_MS = {
  standalone: [50, 100],
  /** After a failover all sentinels have to have heard of it. */
  sentinel: [200, 400],
  /** The old connections have to be gone: when one ends, it takes a new one to the same node along. */
  cluster: [2 * DISCONNECT_TIMEOUT_MS, 400],
} as const;
const RETRY_JITTER_MS = 50;

/** Begins to connect, and goes on trying for ever. Commands fail at once while there is no connection. */
export function connectRedis(address: RedisAddress, events: Partial<RedisEvents> = {}): RedisConnection {
  const client = createClient(address);
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
    // Whatever goes wrong ends here, and only here is it tried again: ioredis' own ways to do so all can give up.
    client.on('end', () => {
      if (up !== false && !closing) events.onDown?.(failingOver ? FAILING_OVER : (lastError() ?? CLOSED));
      up = false;
      failures += 1;
      resolve();
      connectLater();
    });
    setTimeout(resolve, FIRST_ATTEMPT_MS).unref();
  });

  watchRisks(client, (risk, where) => {
    if (!closing) events.onRisk?.(risk, where);
  });

  const stopWatching =
    address.kind === 'sentinel' &&
    watchFailovers(address, sentinelConnectionOptions(address), {
      onBegin() {
        failingOver = true;
        client.disconnect(true);
      },
      onEnd(master) {
        failingOver = false;
        if (client.status === 'end') connectLater();
        else if (master !== undefined && !isConnectedTo(client, master)) client.disconnect(true);
      },
    });

  return {
    client,
    firstAttempt,
    async whyDown() {
      if (up === true || closing) return undefined;
      if (failingOver) return FAILING_OVER;
      const error = lastError();
      return error !== undefined && speaksForItself(error) ? error : diagnose(address);
    },
    async close() {
      closing = true;
      clearTimeout(retry);
      if (stopWatching) stopWatching();
      await Promise.race([
        client.quit().catch(() => undefined),
        delay(QUIT_TIMEOUT_MS, undefined, { ref: false }),
      ]);
      client.disconnect();
    },
  };
}

/** With jitter, so that replicas do not come back in step. */
function retryDelayMs(failures: number, [shortestMs, longestMs]: readonly [number, number]): number {
  const backoffMs = Math.min(shortestMs * 2 ** (failures - 1), longestMs);
  return backoffMs + Math.random() * RETRY_JITTER_MS;
}

function isConnectedTo(client: RedisClient, { host, port }: HostAndPort): boolean {
  if (!(client instanceof Redis)) return false;
  const { remoteAddress, remotePort } = client.stream;
  return remoteAddress === host && remotePort === port;
}

/** Tells what the last attempt or connection ended with, if ioredis does. */
function followErrors(client: RedisClient): () => Error | undefined {
  let current: Error | undefined;
  let last: Error | undefined;
  const remember = (error: Error): void => {
    if (current === undefined || !speaksForItself(current)) current = error;
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

/** What Redis, the certificate or the system says, rather than what became of the connection in consequence. */
function speaksForItself(error: Error): boolean {
  const { name, code = '' } = error as NodeJS.ErrnoException;
  return (
    name === 'ReplyError' || (code !== '' && !/^(EPIPE|ECONNRESET|ETIMEDOUT|EPROTO|ERR_SSL_.*)$/.test(code))
  );
}
