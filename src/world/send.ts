/**
 * Sends the requests of game servers to a service, only so many at once, and reads of the answers what a game server
 * needs.
 */

export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

export interface SendOptions {
  /** Of the service, with or without a slash at its end. */
  readonly url: string;
  /** Undefined if the service needs none. */
  readonly key: string | undefined;
  readonly fetch: Fetch;
  /** Whether nothing is to be sent any more: the answers are then none. */
  readonly isOver: () => boolean;
}

export interface Told {
  /** 0 without an answer. */
  readonly status: number;
  /** Of an error of the API. */
  readonly code: string | undefined;
  /** Why it is refused, or why there is no answer. */
  readonly reason: string;
  readonly serverId: string | undefined;
  readonly token: string | undefined;
  /** Both in ms; undefined if the answer does not say. */
  readonly pingIntervalMs: number | undefined;
  readonly retryAfterMs: number | undefined;
}

/** Never rejects. */
export type Post = (
  path: '/broadcast' | '/ping' | '/remove',
  fields: object,
  headers: Readonly<Record<string, string>>,
) => Promise<Told>;

/** A world needs no more connections than this. */
export const MOST_CONNECTIONS = 8;

const TIMEOUT_MS = 5000;

export function createPost({ url, key, fetch, isOver }: SendOptions): Post {
  const base = url.replace(/\/+$/, '');
  const inTurn = atMost(MOST_CONNECTIONS);
  return (path, fields, headers) =>
    inTurn(async () => {
      if (isOver()) return noAnswer('the world is over');
      try {
        const response = await fetch(base + path, {
          method: 'POST',
          body: JSON.stringify(fields),
          headers: { ...headers, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
          // It would take the token to another place.
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        return answerOf(response, await response.text());
      } catch (error) {
        const { message, cause } = error as Error;
        return noAnswer(cause instanceof Error ? cause.message : message);
      }
    });
}

function answerOf({ status, headers }: Response, text: string): Told {
  const { server_id: serverId, code, error } = parse(text);
  return {
    status,
    code,
    reason: error ?? `it answers ${status}`,
    serverId,
    token: headers.get('server-token') ?? undefined,
    pingIntervalMs: milliseconds(headers.get('server-ping-interval')),
    retryAfterMs: milliseconds(headers.get('retry-after')),
  };
}

function noAnswer(reason: string): Told {
  return {
    status: 0,
    code: undefined,
    reason,
    serverId: undefined,
    token: undefined,
    pingIntervalMs: undefined,
    retryAfterMs: undefined,
  };
}

/** The texts of an object of JSON; none if it is no such thing, as of a proxy. */
function parse(text: string): Partial<Record<'server_id' | 'code' | 'error', string>> {
  try {
    const value = (JSON.parse(text) ?? {}) as object;
    return Object.fromEntries(Object.entries(value).filter(([, each]) => typeof each === 'string'));
  } catch {
    return {};
  }
}

function milliseconds(seconds: string | null): number | undefined {
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/** Runs tasks in the order in which they come, so many at once. */
function atMost(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
