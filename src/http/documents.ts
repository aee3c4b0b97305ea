/**
 * The documents about the API: its description for programs, and the page that shows it. What makes them is loaded for the
 * first request that asks for it: a service that is not asked starts no later for them. Knows nothing of what they say.
 */

import { Body } from '../find/body.ts';
import { Turns } from '../find/turns.ts';
import { ServiceError } from '../errors.ts';
import type { AnswerHeaders } from './answer.ts';
import { createBodyAnswers } from './body-answers.ts';
import type { Endpoint } from './endpoint.ts';

export interface DocumentsOptions {
  /** Makes the description. Called once there are routes, the documents among them. */
  readonly describe: () => Promise<object>;
  /** Whether readers need a key: then no shared cache may store the documents. */
  readonly isPrivate: boolean;
}

/** `description`: that of the API. `page`: what shows it, and the files that the page loads. */
export type Documents = Readonly<Record<'description' | 'page' | 'pageFile', Endpoint>>;

/** A file as it is served. */
export interface ServedFile {
  readonly bytes: Buffer;
  readonly headers: AnswerHeaders;
}

/** A year, in s: the name of a file tells its content. */
const LONGEST_AGE_S = 31_536_000;

export function createDocuments({ describe, isPrivate }: DocumentsOptions): Documents {
  const answerWith = createBodyAnswers(
    { cacheControl: isPrivate ? 'private, no-cache' : 'no-cache' },
    new Turns(),
  );
  const forFiles = {
    'Cache-Control': `${isPrivate ? 'private' : 'public'}, max-age=${LONGEST_AGE_S}, immutable`,
  };

  const description = once(async () => new Body(Buffer.from(JSON.stringify(await describe()))));
  const viewer = once(async () => {
    const { openViewer } = await import('./openapi/viewer.ts');
    const { page, files } = await openViewer();
    return { page: served(page), files: new Map([...files].map(([name, file]) => [name, served(file)])) };
  });

  return {
    async description(request) {
      return answerWith(await description(), request);
    },
    async page(request) {
      const { body, headers } = (await viewer()).page;
      return answerWith(body, request, () => headers);
    },
    async pageFile(request) {
      const file = (await viewer()).files.get(request.parameter!);
      if (file === undefined) throw new ServiceError('not_found');
      return answerWith(file.body, request, () => ({ ...file.headers, ...forFiles }));
    },
  };
}

function served({ bytes, headers }: ServedFile): { readonly body: Body; readonly headers: AnswerHeaders } {
  return { body: new Body(bytes), headers };
}

/** Makes the value for the first call, and again after a failure. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= make().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
