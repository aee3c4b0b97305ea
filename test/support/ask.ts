/** One HTTP request to a service, and its whole answer; and the checks of an error answer. */

import { expect } from 'chai';
import {
  request,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '../../src/model/errors.ts';
import type { FieldError } from '../../src/model/service-error.ts';
import type { ListedBody } from './builders.ts';

/** Every field that an answer may have. */
export interface AnswerBody {
  readonly status?: string;
  readonly error?: string;
  readonly code?: string;
  readonly details?: readonly FieldError[];
  readonly server_id?: string;
  readonly servers?: readonly ListedBody[];
  readonly count?: number;
  readonly server_count?: number;
  readonly timestamp?: string;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  /** The body as it came, compressed or not. */
  readonly bytes: Buffer;
  readonly text: string;
  /** The parsed text; an empty object for an empty text. Throws for a text that is not JSON. */
  readonly body: AnswerBody;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface AskOptions {
  /** A text or bytes are sent as they are and without a content type, any other object as JSON. */
  readonly body?: string | Buffer | object;
  readonly headers?: OutgoingHttpHeaders;
  /** Keeps the connection for further requests. Without it, each request has a connection of its own. */
  readonly agent?: Agent;
  /** After this time without a whole answer the client hangs up. */
  readonly giveUpAfterMs?: number;
}

/** When a kept connection got its last answer. */
const idleSince = new WeakMap<Socket, number>();
/** A service that drains closes connections which were idle for so long, at the least (GSLS_DRAIN_DELAY of tests). */
const MAY_BE_CLOSED_AFTER_MS = 1000;

/**
 * `ask(service, 'POST /ping', …)`. A request over a kept connection that the service may have closed as idle at that
 * moment is sent again over another one (RFC 9112 section 9.3.1). Rejects when no whole answer comes: with the error of
 * the connection, or with the message `no answer` when the client gave up.
 */
export function ask(
  target: Address | { readonly url: string },
  call: string,
  options: AskOptions = {},
): Promise<TestAnswer> {
  const { body, headers = {}, agent, giveUpAfterMs } = options;
  const [method, path] = call.split(/ (.*)/s) as [string, string];
  const asIs = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const sent = asIs ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...addressOf(target),
      method,
      path,
      agent: agent ?? false,
      headers: {
        ...(sent !== undefined &&
          !('Transfer-Encoding' in headers) && { 'Content-Length': Buffer.byteLength(sent) }),
        ...(!asIs && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    const patience =
      giveUpAfterMs === undefined
        ? undefined
        : setTimeout(() => outgoing.destroy(new Error('no answer')), giveUpAfterMs);
    const fail = (error: Error): void => {
      clearTimeout(patience);
      reject(error);
    };
    const startedAt = performance.now();
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      const idleMs = startedAt - (idleSince.get(outgoing.socket!) ?? startedAt);
      if (error.code !== 'ECONNRESET' || idleMs < MAY_BE_CLOSED_AFTER_MS) return fail(error);
      clearTimeout(patience);
      const { agent: _, ...others } = options;
      resolve(ask(target, call, others));
    });
    outgoing.once('response', (incoming) => {
      const { socket } = incoming;
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.once('error', fail);
      incoming.once('end', () => {
        clearTimeout(patience);
        idleSince.set(socket, performance.now());
        resolve(answerFrom(incoming, Buffer.concat(parts)));
      });
    });
    outgoing.end(sent);
  });
}

/**
 * Asks again until the answer is from the current list. A list that Redis does not confirm within 0.3 s, as on a busy
 * machine, is the last one, and says so.
 */
export async function askCurrent(
  target: Address | { readonly url: string },
  call: string,
  options: AskOptions = {},
): Promise<TestAnswer> {
  for (;;) {
    const answer = await ask(target, call, options);
    if (answer.headers['warning'] === undefined) return answer;
  }
}

/** Where a service is reached: IPv6 addresses without brackets. */
export function addressOf(target: Address | { readonly url: string }): Address {
  if (!('url' in target)) return { host: target.host, port: target.port };
  const { hostname, port } = new URL(target.url);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function answerFrom({ statusCode, headers, rawHeaders }: IncomingMessage, bytes: Buffer): TestAnswer {
  const text = bytes.toString();
  return {
    status: statusCode!,
    headers,
    rawHeaders,
    bytes,
    text,
    get body() {
      return (text === '' ? {} : JSON.parse(text)) as AnswerBody;
    },
  };
}

/** Expects the envelope of an error, with the status of its code. */
export function expectError(
  {
    status,
    headers,
    body,
  }: Pick<TestAnswer, 'status' | 'body'> & { readonly headers: Readonly<Record<string, unknown>> },
  code: ErrorCode,
): void {
  expect(body.code).to.equal(code);
  expect(status).to.equal(ERRORS[code].status);
  expect(body.status).to.equal('error');
  expect(body.error).to.be.a('string').and.to.not.equal('');
  expect(
    Object.keys(body).filter((key) => !['status', 'error', 'code', 'details'].includes(key)),
  ).to.deep.equal([]);
  expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(headers['x-content-type-options']).to.equal('nosniff');
}

/** Expects `invalid_request` with exactly these wrong fields, in this order. */
export function expectWrongFields(answer: TestAnswer, fields: readonly string[]): void {
  expectError(answer, 'invalid_request');
  expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(fields);
  for (const { field, message } of answer.body.details ?? [])
    expect(answer.body.error).to.include(`${field} ${message}`);
}
