/** Writes an Answer to Node's response, for the fast path and the Koa path alike. */

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { lengthOf, withHeaders, type Answer, type AnswerHeaders } from './answer.ts';
import type { AnswersInFlight } from './answers-in-flight.ts';

/** Sends an answer. `more` are headers that it gets in addition; its own win. */
export type Send = (response: ServerResponse, answer: Answer, more: AnswerHeaders) => void;

/** The complete headers of answers that are sent many times, such as the answer to a ping. */
const headersOfAnswer = new WeakMap<
  Answer,
  { readonly more: AnswerHeaders; readonly all: OutgoingHttpHeaders }
>();

export function createSend(inFlight: Pick<AnswersInFlight, 'end'>): Send {
  return (response, answer, more) => {
    let headers = headersOfAnswer.get(answer);
    if (headers?.more !== more) {
      const hasLength = answer.status !== 204 && answer.status !== 304;
      const length = hasLength ? { 'Content-Length': lengthOf(answer) } : {};
      headers = { more, all: { ...withHeaders(answer, more).headers, ...length } };
      headersOfAnswer.set(answer, headers);
    }
    response.writeHead(answer.status, headers.all);
    const body = response.req.method === 'HEAD' ? '' : answer.body;
    inFlight.end(response, body, String(answer.headers['Content-Encoding'] ?? ''));
  };
}
