/** The answers to requests that succeed. */

import type { ResponseHeader } from './headers.ts';
import type { Content, DescribedAnswer } from './operation.ts';

const SHARED: readonly ResponseHeader[] = ['ETag', 'Vary'];

type Answers = Readonly<Record<number, DescribedAnswer>>;

/** A single answer, with a body. */
export function success(
  description: string,
  content: Readonly<Record<string, Content>>,
  headers: Pick<DescribedAnswer, 'headers' | 'optionalHeaders'> = {},
): Answers {
  return { 200: { description, content, ...headers } };
}

/** Answers whose body many clients share. `more`: further headers that they may have. */
export function sharedBody(
  description: string,
  content: Readonly<Record<string, Content>>,
  more: readonly ResponseHeader[] = [],
): Answers {
  return {
    200: { description, content, headers: SHARED, optionalHeaders: ['Content-Encoding', ...more] },
    304: {
      description: 'The client has this answer already.',
      headers: SHARED,
      optionalHeaders: more,
    },
  };
}
