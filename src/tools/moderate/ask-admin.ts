/** One request to /admin of a replica, with the admin key, and what may go wrong with it in one line. */

import { createAsk } from '../../../clients/typescript/src/ask.ts';
import { systemEnvironment } from '../../../clients/typescript/src/environment.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { printable } from '../../model/printable.ts';

export interface AdminRequest {
  /** The address of the replica. */
  readonly url: string;
  readonly key: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object | undefined;
}

export interface AdminAnswer {
  readonly text: string;
  /** The text, parsed. What it holds is not checked. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The service refused the fields of the request. */
export class RefusedFields extends Error {
  readonly details: readonly { readonly field: string; readonly message: string }[];

  constructor(message: string, details: RefusedFields['details']) {
    super(message);
    this.details = details;
  }
}

/** A replica compares a new ban with every entry before it answers. */
const TIMEOUT_MS = 30_000;
/** The largest answer: as many bans as there can be, several times over. */
const MOST_BYTES = 32 * 1_048_576;

/** Rejects with an Error of one line; a RefusedFields, or a UsageError for the URL. */
export async function askAdmin({ url, key, method, path, body }: AdminRequest): Promise<AdminAnswer> {
  const { origin } = targetOf(url);
  const ask = createAsk({ url: origin, key, fetch: systemEnvironment.fetch });
  const question = { method, path, ...(body !== undefined && { body }) };
  const answer = await ask({ ...question, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES });
  if (answer.cause !== undefined) throw new Error(`${origin} does not answer: ${answer.reason}`);
  if (answer.body['status'] === 'success') return { text: answer.text, body: answer.body };
  throw errorOf(`${origin} answers ${answer.status}`, answer.body);
}

/** Its errors do not repeat the text: it may hold a password. */
function targetOf(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = target?.href === `${target?.origin}/`;
  if (target === undefined || !/^https?:$/.test(target.protocol) || !isPlain)
    throw new UsageError('--url must be the address of a replica, like http://localhost:53600');
  return target;
}

function errorOf(beginning: string, { error, code, details }: AdminAnswer['body']): Error {
  if (typeof error !== 'string') return new Error(`${beginning}: another program than GSLS listens there`);
  if ((code === 'invalid_request' || code === 'invalid_query') && Array.isArray(details))
    return new RefusedFields(printable(error), details as RefusedFields['details']);
  if (code === 'not_found')
    return new Error(
      `${beginning}: it has no /admin there, because it has no admin key, has it on its operations port (--ops-port), or is behind HAProxy`,
    );
  return new Error(`${beginning}: ${printable(error)}`);
}
