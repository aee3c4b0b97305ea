/** Writes an Answer to Node's response, for the fast path and the Koa path alike. */

import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { isStreamed, lengthOf, withHeaders, type Answer, type AnswerHeaders } from './answer.ts';
import type { AnswersInFlight } from './answers-in-flight.ts';

/** Sends an answer. `more` are headers that it gets in addition; its own win. */
export type Send = (response: ServerResponse, answer: Answer, more: AnswerHeaders) => void;

/** What the complete headers were made of, and for. */
interface CompleteHeaders {
  readonly body: Answer['body'];
  readonly more: AnswerHeaders;
  /** Names and values in turn: the form in which Node takes the least time for them. */
  readonly all: OutgoingHttpHeader[];
}

/** The complete headers of answers that are sent many times, such as the answer to a ping, by their own headers. */
const completeHeaders = new WeakMap<AnswerHeaders, CompleteHeaders>();

export function createSend(inFlight: Pick<AnswersInFlight, 'end'>): Send {
  return (response, answer, more) => {
    let headers = completeHeaders.get(answer.headers);
    if (headers?.more !== more || headers.body !== answer.body) {
      const bytes = lengthOf(answer);
      const hasLength = answer.status !== 204 && answer.status !== 304 && bytes !== undefined;
      const length = hasLength ? { 'Content-Length': bytes } : {};
      const all = Object.entries({ ...withHeaders(answer, more).headers, ...length }).flat();
      headers = { body: answer.body, more, all };
      completeHeaders.set(answer.headers, headers);
    }
    const { all } = headers;
    response.writeHead(answer.status, answer.onlyHere === undefined ? all : [...all, ...answer.onlyHere]);
    const body = response.req.method === 'HEAD' ? '' : answer.body;
    if (isStreamed(body)) body.start(response);
    else inFlight.end(response, body, String(answer.headers['Content-Encoding'] ?? ''));
  };
}
