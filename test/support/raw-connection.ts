/** A bare TCP connection to a service, for what no HTTP client would send, and a strict reader of its answers. */

import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What an answer to HEAD says of its body it does not send. */
export type Method = 'HEAD' | 'other';

export class RawConnection {
  readonly socket: Socket;
  readonly #closed: Promise<unknown>;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    socket.on('data', (part) => {
      this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    socket.once('end', end);
    socket.once('close', end);
    // A reset is an end too; whoever waits for an answer then misses it.
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
    for (;;) {
      const read = readAnswer(this.#received, method);
      if (read !== undefined) {
        this.#received = this.#received.subarray(read.length);
        return read.answer;
      }
      if (this.#ended) {
        if (this.#received.length === 0) return undefined;
        throw new Error(`half an answer: ${this.#received.toString('latin1').slice(0, 500)}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the service has closed the connection and nothing unread is left. */
  async end(): Promise<void> {
    await this.#closed;
    expect(this.#received.toString('latin1')).to.equal('');
  }

  destroy(): void {
    this.socket.destroy();
  }
}

export async function openRawConnection({ url }: { readonly url: string }): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const connection = new RawConnection(socket);
  await once(socket, 'connect');
  return connection;
}

/** The JSON of an answer. */
export function jsonOf({ body }: RawAnswer): Record<string, unknown> {
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

/** Undefined while there is less than a whole answer; throws on what is no HTTP. */
function readAnswer(bytes: Buffer, method: Method): { answer: RawAnswer; length: number } | undefined {
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
  const length = bodyStart + (bodyless ? 0 : Number(headers['content-length']));
  if (bytes.length < length) return undefined;
  return { answer: { status, headers, body: bytes.subarray(bodyStart, length) }, length };
}
