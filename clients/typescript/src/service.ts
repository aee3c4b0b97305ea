/** The service that is asked: what all functions take of it, one request, and what is said of a failed one. */

import { describeFailure, keyHeaders } from './ask.ts';
import { Call } from './call.ts';
import { FeedFailure, parseMembers, staleSince } from './feed/changes-answer.ts';
import { systemEnvironment, type Environment } from './environment.ts';
import { printable } from '../../../src/model/printable.ts';
import { ServiceError } from './service-error.ts';
import type { ServiceOptions, Urls } from './service-options.ts';

/** A service with all that its requests have in common. */
export interface AskedService {
  /** The address, without a slash at its end. */
  readonly url: string;
  /** Undefined if it needs none. */
  readonly key: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly environment: Environment;
}

/** The services of one list, in the order in which they are asked. */
export type AskedServices = readonly [AskedService, ...AskedService[]];

/** A successful answer. */
export interface Got {
  /** Whether the answer is the one that `etag` came with. */
  readonly isUnchanged: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly etag: string | undefined;
  readonly staleSince: Date | undefined;
}

const TIMEOUT_MS = 5000;
const LONGEST_TIMEOUT_MS = 2_147_483_647;
const LONGEST_TEXT = 500;

/** Throws a TypeError for a URL or a key that cannot be right, and a RangeError for such a time. Repeats no key. */
export function openService(url: string | URL, options: ServiceOptions): AskedService {
  const { timeoutMs } = options;
  const key = options.key || undefined;
  if (timeoutMs !== undefined && !(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS))
    throw new RangeError('timeoutMs must be a time in ms, from 1 on');
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(key ?? '')) throw new TypeError('the key has characters that no header can have');
  return {
    url: baseOf(url),
    key,
    timeoutMs,
    environment: { ...systemEnvironment, now: steadyNow, ...options.environment },
  };
}

/** The services of one URL or of several, in their order. Throws as openService() does, and for none. */
export function openServices(urls: Urls, options: ServiceOptions): AskedServices {
  const all = [urls].flat();
  return (all[0] ? all : ['']).map((url) => openService(url, options)) as unknown as AskedServices;
}

/** The answer of the service, or the first that one of several gives. */
export async function askAny<T>(
  services: AskedServices,
  ask: (service: AskedService) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return services[1]
    ? (await import('./fallback/url-choice.ts')).askFirst(services, ask, signal)
    : ask(services[0]);
}

/** The time in ms since the epoch, by a clock that nobody sets. */
function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}

function baseOf(address: string | URL): string {
  const url = URL.canParse(`${address}`) ? new URL(address) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password + url.search + url.hash
  )
    throw new TypeError(
      'the URL must be that of a service, like https://list.example.com: no user, no password, no ? and no #',
    );
  return url.href.replace(/\/+$/, '');
}

/**
 * Asks once. Rejects with a ServiceError for any status but 200 and 304, and without an answer; and with the reason of
 * `signal` once that is aborted.
 */
export async function get(
  service: AskedService,
  path: string,
  { signal, etag }: { readonly signal: AbortSignal | undefined; readonly etag?: string | undefined },
): Promise<Got> {
  const { url, key, timeoutMs = TIMEOUT_MS, environment } = service;
  const call = new Call(environment);
  const onAbort = (): void => call.end();
  signal?.throwIfAborted();
  signal?.addEventListener('abort', onAbort);
  call.allowSilence(timeoutMs);
  try {
    const response = await call.open(url + path, {
      Accept: 'application/json',
      ...keyHeaders(key),
      ...(etag !== undefined && { 'If-None-Match': etag }),
    });
    const { headers, status } = response;
    const isUnchanged = status === 304;
    const since = staleSince(headers, environment.now());
    return {
      isUnchanged,
      body: isUnchanged ? {} : parseMembers(await call.readAll(response)),
      etag: headers.get('ETag') ?? undefined,
      staleSince: since === undefined ? undefined : new Date(since),
    };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = failureFrom(error);
    const silence = call.isSilent ? `nothing came within ${timeoutMs / 1000} s` : undefined;
    throw new ServiceError(silence ?? failureWords(failure, service), failure);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    call.end();
  }
}

function failureFrom(error: unknown): FeedFailure {
  return error instanceof FeedFailure ? error : new FeedFailure('unreachable', { cause: error });
}

/** The `servers` of an answer. Throws a ServiceError if one of them is none. */
export function serversOf<T>(
  { body }: Pick<Got, 'body'>,
  isOne: (value: unknown) => value is T,
): readonly T[] {
  const { servers } = body;
  if (!Array.isArray(servers) || !servers.every(isOne)) throw foreignAnswer();
  return servers;
}

const FOREIGN = 'the answer is none of GSLS';

/** The error for an answer that looks like one of GSLS, and is none. */
export function foreignAnswer(): ServiceError {
  return new ServiceError(FOREIGN, new FeedFailure('refused', { status: 200 }));
}

/** Renders a failure for a person: the words of the service, or a description of what happened instead. */
export function failureWords({ says, cause }: FeedFailure, { key }: Pick<AskedService, 'key'>): string {
  const text = says ?? (cause === undefined ? FOREIGN : describeFailure(cause));
  // A service may send back what it was sent.
  return readable(key === undefined ? text : text.replaceAll(key, '…'));
}

/** A text from elsewhere, made fit for a person's eyes. */
export function readable(text: string): string {
  return printable(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
}
