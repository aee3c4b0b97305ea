/** Files that a page loads, as they are served: each is read once, and has a name that changes with its content. */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../model/service-error.ts';
import { Body } from '../work/body.ts';
import { once } from '../work/once.ts';
import type { AnswerHeaders } from './answer.ts';
import type { BodyAnswers } from './body-answers.ts';
import type { Endpoint } from './route.ts';

/** A file as it is served. Without a Cache-Control of its own it is kept for good. */
export interface ServedFile {
  readonly bytes: Buffer;
  readonly headers: AnswerHeaders;
}

/** By their names. */
export type ServedFiles = ReadonlyMap<string, ServedFile>;

/** A year, in s: the name of a file tells its content. */
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
  /** Makes a file that is not read, of its name. */
  readonly make?: (name: string) => ServedFile | undefined;
}

/** Answers with the file that the path names. */
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
