/** The answers with a body that many clients get. */

import type { ResponseHeader } from './headers.ts';
import type { Content, DescribedAnswer } from './operation.ts';

const SHARED: readonly ResponseHeader[] = ['ETag', 'Vary'];

/** `more`: headers that the answer may have. */
export function sharedBody(
  description: string,
  content: Readonly<Record<string, Content>>,
  more: readonly ResponseHeader[] = [],
): Readonly<Record<number, DescribedAnswer>> {
  return {
    200: { description, content, headers: SHARED, optionalHeaders: ['Content-Encoding', ...more] },
    304: {
      description: 'The client has this answer already.',
      headers: SHARED,
      optionalHeaders: more,
    },
  };
}
