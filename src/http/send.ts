/** Writes an Answer to Node's response, for the fast path and the Koa path alike. */

import type { OutgoingHttpHeader } from 'node:http';
import { isStreamed, lengthOf, withHeaders, type Answer, type AnswerHeaders } from './answer.ts';
import type { AnswersInFlight } from './server/answers-in-flight.ts';
import type { Answered, Exchange } from './exchange.ts';
import { lingerUnlessComplete } from './server/lingering-close.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/**
 * Sends the answer of the exchange. `path`: as in the table of routes, undefined if it has none. `more` are headers
 * that the answer gets in addition; its own win.
 */
export type Send = (
  exchange: Exchange,
  answer: Answer,
  path: string | undefined,
  more: AnswerHeaders,
) => void;

/** What the complete headers were made of, and for. */
interface CompleteHeaders {
  readonly body: Answer['body'];
  readonly more: AnswerHeaders;
  /** Names and values in turn: the form in which Node takes the least time for them. */
  readonly all: OutgoingHttpHeader[];
  /** Of the body. */
  readonly bytes: number;
}

const NONE: readonly string[] = [];

/** The complete headers of answers that are sent many times, such as the answer to a ping, by their own headers. */
const completeHeaders = new WeakMap<AnswerHeaders, CompleteHeaders>();

/** `onAnswered` is told of each answer. */
export function createSend(
  inFlight: Pick<AnswersInFlight, 'end'>,
  onAnswered?: (answered: Answered) => void,
): Send {
  return (exchange, answer, path, more) => {
    const { request, response, requestId, receivedAt } = exchange;
    let headers = completeHeaders.get(answer.headers);
    if (headers?.more !== more || headers.body !== answer.body) {
      const bytes = lengthOf(answer);
      const hasLength = answer.status !== 204 && answer.status !== 304 && bytes !== undefined;
      const length = hasLength ? { 'Content-Length': bytes } : {};
      const all = Object.entries({ ...withHeaders(answer, more).headers, ...length }).flat();
      headers = { body: answer.body, more, all, bytes: bytes ?? 0 };
      completeHeaders.set(answer.headers, headers);
    }
    const { status, code, onlyHere = NONE } = answer;
    if (!request.complete) lingerUnlessComplete(request, response);
    response.writeHead(status, [...headers.all, REQUEST_ID_HEADER, requestId, ...onlyHere]);
    const hasBody = request.method !== 'HEAD';
    const body = hasBody ? answer.body : '';
    const encoding = (answer.headers['Content-Encoding'] as string | undefined) ?? '';
    if (isStreamed(body)) body.start(response);
    else inFlight.end(response, body, encoding);
    onAnswered?.({
      exchange,
      route: path,
      status,
      code,
      bytes: hasBody ? headers.bytes : 0,
      encoding: encoding === '' ? 'identity' : (encoding as Answered['encoding']),
      durationMs: performance.now() - receivedAt,
    });
  };
}
