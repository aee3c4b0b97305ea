/**
 * A bare TCP connection to a service, with a strict parser of answers: for requests that no HTTP client would send,
 * and for hundreds of thousands of requests at little cost.
 */

import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { addressOf, type Address } from './ask.ts';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer to HEAD has the Content-Length of a body that is not sent. */
export type Method = 'HEAD' | 'other';

export class RawConnection {
  readonly socket: Socket;
  readonly #closed: Promise<unknown>;
  /** What was received and not yet read: joined only when it is read, so that long answers cost no copies. */
  #parts: Buffer[] = [];
  #length = 0;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    socket.on('data', (part) => {
      this.#parts.push(part);
      this.#length += part.length;
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    socket.once('end', end);
    socket.once('close', end);
    // A reset is an end as well: a caller that waits for an answer gets the error of a missing answer.
    socket.on('error', end);
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** The next answer, interim ones (100 Continue) too. Rejects when it is malformed or the connection ends first. */
  async answer(method: Method = 'other'): Promise<RawAnswer> {
    const answer = await this.answerOrEnd(method);
    if (answer === undefined) throw new Error('the connection ended without an answer');
    return answer;
  }

  /** As above; undefined when the connection ends before another answer begins. */
  async answerOrEnd(method: Method = 'other'): Promise<RawAnswer | undefined> {
    let head: Head | undefined;
    for (;;) {
      head ??= readHead(this.#received(), method);
      if (head !== undefined && this.#length >= head.answerLength) return this.#take(head);
      if (this.#ended) {
        if (this.#length === 0) return undefined;
        throw new Error(`half an answer: ${this.#received().toString('latin1').slice(0, 500)}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the service has closed the connection and nothing unread is left. */
  async end(): Promise<void> {
    await this.#closed;
    expect(this.#received().toString('latin1')).to.equal('');
  }

  #received(): Buffer {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0]!;
  }

  #take({ status, headers, bodyStart, answerLength }: Head): RawAnswer {
    const received = this.#received();
    this.#parts = [received.subarray(answerLength)];
    this.#length -= answerLength;
    return { status, headers, body: received.subarray(bodyStart, answerLength) };
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** `localAddress`: of this machine, from which the connection is to come. */
export async function openRawConnection(
  target: Address | { readonly url: string },
  localAddress?: string,
): Promise<RawConnection> {
  const socket = connect({ ...addressOf(target), noDelay: true, ...(localAddress && { localAddress }) });
  const connection = new RawConnection(socket);
  await once(socket, 'connect');
  return connection;
}

/** The bytes of a plain request: `plainRequest('POST /ping', fields)`. */
export function plainRequest(call: string, fields?: object): string {
  const head = `${call} HTTP/1.1\r\nHost: a\r\n`;
  if (fields === undefined) return `${head}\r\n`;
  const body = JSON.stringify(fields);
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The JSON of an answer. */
export function jsonOf({ body }: RawAnswer): Record<string, unknown> {
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

interface Head extends Omit<RawAnswer, 'body'> {
  readonly bodyStart: number;
  /** Of head and body together. */
  readonly answerLength: number;
}

/** Undefined until the head is complete. Throws when it is not HTTP, or does not tell the length of the body. */
function readHead(bytes: Buffer, method: Method): Head | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [A-Z][\w' -]*$/i.exec(statusLine!)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${statusLine}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): ([^\r\n]*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`no header: ${line}`);
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value! : `${headers[key]}, ${value}`;
  }
  const bodyStart = headEnd + 4;
  const bodyless = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  if (!bodyless && !/^\d+$/.test(headers['content-length'] ?? ''))
    throw new Error(`an answer of unknown length: ${statusLine} ${JSON.stringify(headers)}`);
  return {
    status,
    headers,
    bodyStart,
    answerLength: bodyStart + (bodyless ? 0 : Number(headers['content-length'])),
  };
}
