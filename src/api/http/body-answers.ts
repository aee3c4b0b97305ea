/** Answers whose body many clients get: 304 for a client that has it, and the body plain or in gzip for others. */

import { ServiceError } from '../../model/service-error.ts';
import type { Body } from '../work/body.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker } from '../work/work.ts';
import { emptyAnswer, jsonAnswer, type Answer, type AnswerHeaders } from './answer.ts';
import type { CurrentList } from './current-list.ts';
import type { EndpointRequest } from './route.ts';
import { chooseEncoding } from './negotiation.ts';

/** The part of a body that its answers need. */
export type AnsweredBody = Pick<Body, 'plain' | 'hash' | 'gzip'>;

/** The parts of an answer that are the same for every request of one body. */
interface Prepared {
  readonly headers: AnswerHeaders;
  plain: Answer | undefined;
  readonly notModified: Answer;
  gzip: Answer | undefined;
}

/** The ends of ETags, after hash and mark: of the plain body, and of the compressed one. */
const TAG_ENDS = ['"', '-gzip"'];

/** `more`: further headers of answers with the body. Rejects with a ServiceError `not_acceptable` or `overloaded`. */
export type BodyAnswers = (
  body: AnsweredBody,
  request: EndpointRequest,
  more?: () => AnswerHeaders,
) => Promise<Answer>;

export interface BodyAnswersOptions {
  /** The asker on whose behalf bodies are compressed; by default the request that wants one compressed. */
  readonly asker?: Asker;
  /** A part of every ETag, for answers whose headers differ while their bodies are the same. */
  readonly mark?: string;
}

export function createBodyAnswers(
  { caching }: Pick<CurrentList, 'caching'>,
  turns: Turns,
  { asker, mark = '' }: BodyAnswersOptions = {},
): BodyAnswers {
  const preparations = new WeakMap<AnsweredBody, Prepared>();

  function prepare(body: AnsweredBody, more: AnswerHeaders): Prepared {
    const headers = {
      ...caching,
      Vary: 'Accept-Encoding',
      ...more,
      ETag: `"${body.hash}${mark}"`,
    };
    const prepared = {
      headers,
      plain: undefined,
      notModified: emptyAnswer(304, headers),
      gzip: undefined,
    };
    preparations.set(body, prepared);
    return prepared;
  }

  async function compressed(body: AnsweredBody, prepared: Prepared, request: Asker): Promise<Answer> {
    prepared.gzip ??= jsonAnswer(await body.gzip(turns, asker ?? request), {
      ...prepared.headers,
      ETag: `"${body.hash}${mark}-gzip"`,
      'Content-Encoding': 'gzip',
    });
    return prepared.gzip;
  }

  return async (body, request, more = () => ({})) => {
    const { headers } = request;
    const prepared = preparations.get(body) ?? prepare(body, more());
    const ifNoneMatch = headers['if-none-match'];
    // The comparison is weak, and the tag of either encoding matches (RFC 9110 section 13.1.2).
    if (
      ifNoneMatch?.trim() === '*' ||
      TAG_ENDS.some((end) => ifNoneMatch?.includes(`"${body.hash}${mark}${end}`))
    )
      return prepared.notModified;
    const accepted = headers['accept-encoding'];
    const encoding = accepted === undefined ? 'identity' : chooseEncoding(accepted, ['gzip']);
    if (encoding === undefined)
      throw new ServiceError('not_acceptable', { headers: { Vary: 'Accept-Encoding' } });
    if (encoding === 'gzip') return compressed(body, prepared, request);
    prepared.plain ??= jsonAnswer(body.plain, prepared.headers);
    return prepared.plain;
  };
}
