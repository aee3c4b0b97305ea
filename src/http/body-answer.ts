/**
 * The answer with a JsonBody: 304 if the client has it already, compressed if the client takes that. Knows neither Koa
 * nor sockets, nor what is in the body.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.ts';
import type { JsonBody } from '../find/json-body.ts';
import { emptyAnswer, jsonAnswer, type Answer, type AnswerHeaders } from './answer.ts';
import { chooseEncoding } from './negotiation.ts';

/** Throws a ServiceError `not_acceptable` if the client refuses every encoding. */
export async function bodyAnswer(
  body: JsonBody,
  { 'if-none-match': known, 'accept-encoding': accepted }: IncomingHttpHeaders,
  headers: AnswerHeaders,
): Promise<Answer> {
  const common = { ...headers, Vary: 'Accept-Encoding' };
  const etags = { identity: `"${body.hash}"`, gzip: `"${body.hash}-gzip"` };
  if (known !== undefined) {
    // The comparison is weak, and the tag of any encoding matches (RFC 9110 section 13.1.2).
    const isKnown = known.trim() === '*' || known.includes(etags.identity) || known.includes(etags.gzip);
    if (isKnown)
      return emptyAnswer(304, { ...common, ETag: known.includes(etags.gzip) ? etags.gzip : etags.identity });
  }
  const encoding = accepted === undefined ? 'identity' : chooseEncoding(accepted, ['gzip']);
  if (encoding === undefined)
    throw new ServiceError('not_acceptable', {
      message: 'the answer is available as plain JSON and gzip: accept one of them',
      headers: { Vary: 'Accept-Encoding' },
    });
  if (encoding === 'identity') return jsonAnswer(body.plain, { ...common, ETag: etags.identity });
  return jsonAnswer(await body.gzip(), { ...common, ETag: etags.gzip, 'Content-Encoding': 'gzip' });
}
