/**
 * Writes an Answer to Node's response, for the fast path and the Koa path alike. The head of an answer that is sent
 * again, such as that to a ping, is kept as text from then on.
 */

import type { OutgoingHttpHeader } from 'node:http';
import { keptForS, takeHead, takeWhole } from '../../../runtime/node-internals.ts';
import { isStreamed, lengthOf, withHeaders, type Answer, type AnswerHeaders } from '../answer.ts';
import type { AnswersInFlight } from './answers-in-flight.ts';
import type { Answered, Exchange } from '../exchange.ts';
import { lingerUnlessComplete } from './lingering-close.ts';
import { endOfHead, linesOf, renderHead } from './ready-head.ts';
import { REQUEST_ID_HEADER } from '../request-id.ts';

/**
 * Sends the answer of the exchange. `path`: the path in the table of routes, undefined if it has none. `more`: further
 * headers of the answer; its own win.
 */
export type Send = (
  exchange: Exchange,
  answer: Answer,
  path: string | undefined,
  more: AnswerHeaders,
) => void;

/** The complete headers, with the values they were made from. */
interface CompleteHeaders {
  readonly status: number;
  readonly body: Answer['body'];
  readonly more: AnswerHeaders;
  /** Names and values in turn. */
  readonly all: readonly OutgoingHttpHeader[];
  /** The length of the body. */
  readonly bytes: number;
  readonly encoding: Answered['encoding'];
  /** Whether the body may be written as one text with its head. */
  readonly isShort: boolean;
  /** The status line and all headers as text, once the answer is sent again. */
  head: string | undefined;
}

const NONE: readonly string[] = [];
const MOST_SHORT_BYTES = 512;
const ASCII = /^[\0-\x7f]*$/;
/** The complete headers of answers that are sent many times, by their own headers. */
const completeHeaders = new WeakMap<AnswerHeaders, CompleteHeaders>();

function complete(answer: Answer, more: AnswerHeaders): CompleteHeaders {
  const { status, body } = answer;
  const bytes = lengthOf(answer);
  const hasLength = status !== 204 && status !== 304 && bytes !== undefined;
  const length = hasLength ? { 'Content-Length': bytes } : {};
  const all = Object.entries({ ...withHeaders(answer, more).headers, ...length }).flat();
  return {
    status,
    body,
    more,
    all,
    bytes: bytes ?? 0,
    encoding: (answer.headers['Content-Encoding'] as Answered['encoding'] | undefined) ?? 'identity',
    isShort: typeof body === 'string' && body.length <= MOST_SHORT_BYTES && ASCII.test(body),
    head: undefined,
  };
}

/** Calls `onAnswered` for each answer. */
export function createSend(
  inFlight: Pick<AnswersInFlight, 'end'>,
  onAnswered?: (answered: Answered) => void,
): Send {
  return (exchange, answer, path, more) => {
    const { request, response, requestId, receivedAt } = exchange;
    const { status, code, onlyHere = NONE } = answer;
    let headers = completeHeaders.get(answer.headers);
    if (headers?.more !== more || headers.body !== answer.body || headers.status !== status) {
      headers = complete(answer, more);
      completeHeaders.set(answer.headers, headers);
    } else if (headers.head === undefined && !isStreamed(answer.body) && !headers.all.includes('Connection'))
      headers.head = renderHead(status, headers.all);
    if (!request.complete) lingerUnlessComplete(request, response);
    const { encoding, isShort } = headers;
    const hasBody = request.method !== 'HEAD';
    let body = hasBody ? answer.body : '';
    const keptS = headers.head === undefined ? undefined : keptForS(response);
    if (keptS === undefined) {
      const all = [...headers.all, REQUEST_ID_HEADER, requestId, ...onlyHere];
      response.writeHead(status, all);
    } else {
      const ownLines = `${REQUEST_ID_HEADER}: ${requestId}\r\n${onlyHere.length === 0 ? '' : linesOf(onlyHere)}`;
      const head = headers.head! + ownLines + endOfHead(keptS);
      if (isShort) {
        takeWhole(response, status, head + (body as string));
        body = '';
      } else takeHead(response, status, head);
    }
    if (isStreamed(body)) body.start(response);
    else inFlight.end(response, body, encoding === 'identity' ? '' : encoding);
    onAnswered?.({
      exchange,
      route: path,
      status,
      code,
      bytes: hasBody ? headers.bytes : 0,
      encoding,
      durationMs: performance.now() - receivedAt,
    });
  };
}
