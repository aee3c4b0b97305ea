/**
 * One request to a service, and its whole answer: bounded in time and size, and without redirects, which would take a
 * token to another place. Says in words why there is no answer. Knows no endpoint.
 */

import type { Environment } from './environment.ts';
import { membersOf } from '../../../src/model/json.ts';

export interface AskOptions {
  /** The address of the service, with or without a slash at its end. */
  readonly url: string;
  /** Undefined if the service needs none. */
  readonly key?: string | undefined;
  readonly fetch: Environment['fetch'];
  /** The most requests that are under way at once; the others wait for their turn. Defaults to MOST_AT_ONCE. */
  readonly mostAtOnce?: number;
  /** Whether a request whose turn has come is not to be sent any more: it then gets no answer. */
  readonly isOver?: (question: ServiceRequest) => boolean;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path with its query, as in `/servers?limit=10`. */
  readonly path: string;
  /** The body, which is sent as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Ends it sooner. */
  readonly signal?: AbortSignal;
  readonly mostBytes?: number;
}

/** Why there is no answer. */
export type NoAnswerCause =
  | 'unknown_host'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'cut_off'
  /** The other side speaks something else than HTTP. */
  | 'no_http'
  | 'too_large'
  /** The request was given up here. */
  | 'over'
  | 'other';

export interface ServiceAnswer {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The members of an object of JSON; none of anything else, such as the page of a proxy. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The code of an error of the API. */
  readonly code: string | undefined;
  /**
   * Why it is no success, for a person: what the API says, or what happened instead. Has no key and no token in it. Not
   * yet made printable.
   */
  readonly reason: string;
  /** Undefined with an answer. */
  readonly cause: NoAnswerCause | undefined;
}

/** Sends a request and resolves with its answer. Never rejects. */
export type Ask = (question: ServiceRequest) => Promise<ServiceAnswer>;

const TIMEOUT_MS = 5000;
const MOST_BYTES = 1_048_576;
const MOST_AT_ONCE = 32;
/** The headers whose values no text repeats: a service, or a proxy before it, may send back what it was sent. */
const SECRETS = ['Server-Token', 'Idempotency-Key'];
const NO_TOKEN = 'claim';

/** A body of more bytes than are read. */
class TooLarge extends Error {}

export function createAsk({
  url,
  key,
  fetch,
  mostAtOnce = MOST_AT_ONCE,
  isOver = () => false,
}: AskOptions): Ask {
  const base = url.replace(/\/+$/, '');
  const ours = keyHeaders(key);
  const inTurn = atMost(mostAtOnce);
  return (question) =>
    inTurn(async () => {
      const {
        method,
        path,
        body,
        headers,
        timeoutMs = TIMEOUT_MS,
        signal,
        mostBytes = MOST_BYTES,
      } = question;
      if (isOver(question) || signal?.aborted) return noAnswer('over', 'it was given up');
      const inTime = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(base + path, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body) }),
          headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers, ...ours },
          redirect: 'manual',
          signal: signal === undefined ? inTime : AbortSignal.any([inTime, signal]),
        });
        const secrets = [key, ...SECRETS.map((name) => headers?.[name])];
        return answerOf(response, await readText(response, mostBytes), secrets);
      } catch (error) {
        if (error instanceof TooLarge)
          return noAnswer('too_large', `the answer has more than ${mostBytes} bytes`);
        if (inTime.aborted) return noAnswer('timeout', `nothing came within ${timeoutMs / 1000} s`);
        if (signal?.aborted) return noAnswer('over', 'it was given up');
        return noAnswer(...causeOf(error));
      }
    });
}

/** Renders the key as a header: one character for each byte of its UTF-8, which is how the service reads it. */
export function keyHeaders(key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  return { Authorization: `Bearer ${String.fromCharCode(...new TextEncoder().encode(key))}` };
}

/** Whether an answer is of GSLS: a proxy may answer anything to anything. */
export function isOfGsls({ status, body }: Pick<ServiceAnswer, 'status' | 'body'>): boolean {
  return typeof body['status'] === 'string' && (status < 300 || status >= 400);
}

async function readText({ body }: Response, mostBytes: number): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > mostBytes) {
      await reader.cancel();
      throw new TooLarge();
    }
    parts.push(decoder.decode(part.value, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

function answerOf(
  { status, headers }: Response,
  text: string,
  secrets: readonly (string | undefined)[],
): ServiceAnswer {
  const body = membersOf(text);
  const { code, error } = body;
  const isTold = typeof error === 'string' && isOfGsls({ status, body });
  return {
    status,
    headers,
    text,
    body,
    code: typeof code === 'string' ? code : undefined,
    reason: conceal(isTold ? error : otherThanGsls(status, headers), secrets),
    cause: undefined,
  };
}

function conceal(text: string, secrets: readonly (string | undefined)[]): string {
  let concealed = text;
  for (const secret of secrets)
    if (secret !== undefined && secret !== '' && secret !== NO_TOKEN)
      concealed = concealed.replaceAll(secret, '…');
  return concealed;
}

function otherThanGsls(status: number, headers: Headers): string {
  const location = headers.get('Location');
  return location === null
    ? `the answer is none of GSLS (${status})`
    : `the answer leads to ${location}, and no redirect is followed (${status})`;
}

function noAnswer(cause: NoAnswerCause, reason: string): ServiceAnswer {
  return { status: 0, headers: new Headers(), text: '', body: {}, code: undefined, reason, cause };
}

/** The codes of Node and of its fetch, by what they mean to a person. */
const CAUSES: readonly (readonly [RegExp, NoAnswerCause, string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'unknown_host', 'the name of the host is not known'],
  [/^ECONNREFUSED$/, 'refused', 'the connection was refused'],
  [/^(E(HOST|NET)UNREACH|EADDRNOTAVAIL)$/, 'unreachable', 'there is no route to it'],
  [/^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, 'timeout', 'nothing came in time'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'cut_off', 'the connection was cut off'],
  [/^(HPE_|HTTPParserError|UND_ERR_(HEADERS|RESPONSE))/, 'no_http', 'what listens there speaks no HTTP'],
  [/CERT|SELF_SIGNED|^(ERR_(TLS|SSL)|EPROTO|UNABLE_TO)/, 'tls', 'the TLS connection failed'],
];

/** Why a request got no answer, in words. Not yet made printable. */
export function describeFailure(error: unknown): string {
  return causeOf(error)[1];
}

function causeOf(error: unknown): readonly [NoAnswerCause, string] {
  const outer = error as Error;
  const inner = (outer.cause ?? outer) as Failed;
  const code = codeOf(inner);
  // https://fetch.spec.whatwg.org/#port-blocking
  if (inner.message === 'bad port')
    return ['other', 'its port is kept for something else than HTTP, and not asked'];
  const known = CAUSES.find(([pattern]) => pattern.test(code));
  if (known === undefined) return ['other', inner.message || outer.message];
  const [, cause, words] = known;
  return [cause, `${words} (${code})`];
}

/** Renders a reason as the end of a sentence, with one mark. */
export function endOf(reason: string): string {
  const end = reason.trimEnd();
  return /[.?!]$/.test(end) ? end : `${end}.`;
}

type Failed = Error & { readonly code?: string; readonly errors?: readonly Failed[] };

/** The code of an error, or of the first of several addresses. Node 24's parser gives its errors none. */
function codeOf({ code, errors, name }: Failed): string {
  return code ?? errors?.[0]?.code ?? (name === 'HTTPParserError' ? name : '');
}

/** Runs tasks in the order in which they come, at most `most` at once. */
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
