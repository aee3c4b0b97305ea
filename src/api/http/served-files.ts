/** The files that a page loads: each is read once, and has a name that changes with its content. */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../model/service-error.ts';
import { Body } from '../work/body.ts';
import { once } from '../work/once.ts';
import type { AnswerHeaders } from './answer.ts';
import type { BodyAnswers } from './body-answers.ts';
import type { Endpoint } from './route.ts';

/** A file as it is served. Without a Cache-Control of its own it is kept for a year. */
export interface ServedFile {
  readonly bytes: Buffer;
  readonly headers: AnswerHeaders;
}

/** The files by their names. */
export type ServedFiles = ReadonlyMap<string, ServedFile>;

/** A year, in s. The content behind a name never changes. */
const LONGEST_AGE_S = 31_536_000;

export function served({ bytes, headers }: ServedFile): {
  readonly body: Body;
  readonly headers: AnswerHeaders;
} {
  return { body: new Body(bytes, { isFixed: true }), headers };
}

export interface FilesOptions {
  readonly answerWith: BodyAnswers;
  /** Whether readers need a key. */
  readonly isPrivate: boolean;
  /** Makes the file of this name, for files that are not read. */
  readonly make?: (name: string) => ServedFile | undefined;
}

/** An endpoint that answers with the file that the path names. */
export function createFiles(
  read: () => Promise<ServedFiles>,
  { answerWith, isPrivate, make }: FilesOptions,
): Endpoint {
  const forGood = { 'Cache-Control': `${audience(isPrivate)}, max-age=${LONGEST_AGE_S}, immutable` };
  const files = once(async () => new Map([...(await read())].map(([name, file]) => [name, served(file)])));
  return async (request) => {
    const name = request.parameter!;
    const made = make?.(name);
    const file = (await files()).get(name) ?? (made && served(made));
    if (file === undefined) throw new ServiceError('not_found');
    return answerWith(file.body, request, () => ({ ...forGood, ...file.headers }));
  };
}

/** The caches that may keep an answer. */
export function audience(isPrivate: boolean): 'private' | 'public' {
  return isPrivate ? 'private' : 'public';
}

/** `name-HASH.extension` */
export function hashedName(name: string, extension: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return `${name}-${hash}.${extension}`;
}
