/** One request to a service, and its whole answer; and what every error answer has in common. */

import { expect } from 'chai';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { ERRORS, type ErrorCode, type FieldError } from '../../src/errors.ts';
import type { ListedBody } from './builders.ts';

/** Every field that some answer has. */
export interface AnswerBody {
  readonly status?: string;
  readonly error?: string;
  readonly code?: string;
  readonly details?: readonly FieldError[];
  readonly server_id?: string;
  readonly servers?: readonly ListedBody[];
  readonly count?: number;
  readonly server_count?: number;
  readonly timestamp?: string;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** The parsed text; empty where there is none. */
  readonly body: AnswerBody;
}

export interface AskOptions {
  /** A text or bytes go out as they are and without a content type, anything else as JSON. */
  readonly body?: string | Buffer | object;
  readonly headers?: OutgoingHttpHeaders;
}

/** `ask(service, 'POST /ping', …)`, on a connection of its own. */
export function ask(
  { url }: { readonly url: string },
  call: string,
  { body, headers = {} }: AskOptions = {},
): Promise<TestAnswer> {
  const [method, path] = call.split(/ (.*)/s) as [string, string];
  const asIs = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const sent = asIs ? body : JSON.stringify(body);
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(sent !== undefined &&
            !('Transfer-Encoding' in headers) && { 'Content-Length': Buffer.byteLength(sent) }),
          ...(!asIs && { 'Content-Type': 'application/json' }),
          ...headers,
        },
      },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({
            status: incoming.statusCode!,
            headers: incoming.headers,
            rawHeaders: incoming.rawHeaders,
            text,
            body: (text === '' ? {} : JSON.parse(text)) as AnswerBody,
          });
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(sent);
  });
}

/** The envelope of an error, with the status of its code. */
export function expectError(
  { status, headers, body }: Pick<TestAnswer, 'status' | 'headers' | 'body'>,
  code: ErrorCode,
): void {
  expect(body.code).to.equal(code);
  expect(status).to.equal(ERRORS[code].status);
  expect(body.status).to.equal('error');
  expect(body.error).to.be.a('string').and.to.not.equal('');
  expect(
    Object.keys(body).filter((key) => !['status', 'error', 'code', 'details'].includes(key)),
  ).to.deep.equal([]);
  expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(headers['x-content-type-options']).to.equal('nosniff');
}

/** The error, and exactly these wrong fields in this order. */
export function expectWrongFields(answer: TestAnswer, fields: readonly string[]): void {
  expectError(answer, 'invalid_request');
  expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(fields);
  for (const { field, message } of answer.body.details ?? [])
    expect(answer.body.error).to.include(`${field} ${message}`);
}
