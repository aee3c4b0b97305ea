/**
 * Connections to Redis with the settings a server needs; ioredis' own let commands wait for ever on a hung
 * Redis, or run twice. Knows nothing of registries.
 */

import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RedisClient } from './scripts.ts';

/** Where Redis is, out of a URL (config.ts). */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
}

export interface RedisEvents {
  /** Redis answers (again). */
  readonly onUp: () => void;
  /** The connection was lost or could not be made; told once, not at each attempt. */
  readonly onDown: (reason: Error) => void;
}

/** A command in time, or an error: well within the 2 s after which an HTTP answer is too late. */
const COMMAND_TIMEOUT_MS = 800;
const CONNECT_TIMEOUT_MS = 2000;
/** A peer that owes answers and sends nothing is hung: only this gets rid of it. */
const SOCKET_TIMEOUT_MS = 2000;
const KEEP_ALIVE_MS = 30_000;
const LONGEST_RETRY_DELAY_MS = 2000;
const QUIT_TIMEOUT_MS = 500;

/** Never gives up; jitter, so that replicas do not come back in step. */
export function retryDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** attempt, LONGEST_RETRY_DELAY_MS) + Math.random() * 200;
}

export interface RedisConnection {
  readonly client: RedisClient;
  /** Resolves once Redis answers for the first time, or turns out not to, or has not by now. */
  readonly firstAttempt: Promise<void>;
  close(): Promise<void>;
}

/** Begins to connect, and goes on trying for ever. Commands fail at once while there is no connection. */
export function connectRedis(address: RedisAddress, events: RedisEvents): RedisConnection {
  let mayReconnectAt = 0;
  const client = new Redis({
    host: address.host,
    port: address.port,
    db: address.database,
    ...(address.username !== undefined && { username: address.username }),
    ...(address.password !== undefined && { password: address.password }),
    ...(address.tls && { tls: { servername: address.host } }),
    connectionName: 'gsls',
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: QUIT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
    // A command of unknown outcome is the caller's to repeat: never queue, never resend behind its back.
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: retryDelayMs,
    reconnectOnError(error) {
      if (!/^(READONLY|NOREPLICAS|MASTERDOWN)/.test(error.message) || Date.now() < mayReconnectAt)
        return false;
      mayReconnectAt = Date.now() + LONGEST_RETRY_DELAY_MS;
      return true;
    },
  });

  client.on('connect', () => writeOnceATurn(client.stream));

  let up: boolean | undefined;
  let closing = false;
  let lastError = new Error('the connection was closed');
  client.on('error', (error: Error) => {
    lastError = error;
  });
  const firstAttempt = new Promise<void>((resolve) => {
    client.on('ready', () => {
      if (up !== true) events.onUp();
      up = true;
      resolve();
    });
    client.on('close', () => {
      if (up !== false && !closing) events.onDown(lastError);
      up = false;
      resolve();
    });
    setTimeout(resolve, CONNECT_TIMEOUT_MS).unref();
  });

  return {
    client,
    firstAttempt,
    async close() {
      closing = true;
      await Promise.race([
        client.quit().catch(() => undefined),
        delay(QUIT_TIMEOUT_MS, undefined, { ref: false }),
      ]);
      client.disconnect();
    },
  };
}

/**
 * Lets all commands of one turn of the event loop leave in one write: a write for each is the largest part of what a
 * ping costs. ioredis' own autopipelining costs more than it saves here.
 */
function writeOnceATurn(stream: Socket): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return write(...args);
  };
}
