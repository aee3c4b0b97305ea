/** One request to /admin of a replica, with the admin key, and what may go wrong with it in one line. */

import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { UsageError } from '../config/option.ts';
import { printable } from '../log/printable.ts';

export interface AdminRequest {
  /** Of the replica. */
  readonly url: string;
  readonly key: string;
  readonly method: string;
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

/** Rejects with an Error of one line; a RefusedFields, or a UsageError for the URL. */
export async function askAdmin({ url, key, method, path, body }: AdminRequest): Promise<AdminAnswer> {
  const target = targetOf(url);
  // Node sends headers as latin1: so written, the bytes are those of the key in UTF-8, as the service reads them.
  const headers = { Authorization: `Bearer ${Buffer.from(key).toString('latin1')}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  let status: number | undefined;
  let answer: string;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(new URL(path, target), { method, headers, signal, agent: false }, resolve)
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
    status = response.statusCode;
    answer = await text(response);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : (code ?? message);
    throw new Error(`${target.origin} does not answer: ${reason}`, { cause: error });
  }
  const parsed = bodyOf(answer);
  if (parsed['status'] === 'success') return { text: answer, body: parsed };
  throw errorOf(`${target.origin} answers ${status}`, parsed);
}

/** Its errors do not repeat the text: it may hold a password. */
function targetOf(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = target?.href === `${target?.origin}/`;
  if (target === undefined || !/^https?:$/.test(target.protocol) || !isPlain)
    throw new UsageError('--url must be the address of a replica, like http://localhost:53600');
  return target;
}

function bodyOf(answer: string): AdminAnswer['body'] {
  try {
    return (JSON.parse(answer) as AdminAnswer['body'] | null) ?? {};
  } catch {
    return {};
  }
}

function errorOf(beginning: string, { error, code, details }: AdminAnswer['body']): Error {
  if (typeof error !== 'string') return new Error(`${beginning}: another program than GSLS listens there`);
  if (code === 'invalid_request' && Array.isArray(details))
    return new RefusedFields(printable(error), details as RefusedFields['details']);
  if (code === 'not_found')
    return new Error(
      `${beginning}: it has no /admin there, because it has no admin key, has it on its operations port (--ops-port), or is behind HAProxy`,
    );
  return new Error(`${beginning}: ${printable(error)}`);
}
