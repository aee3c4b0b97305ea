/**
 * A keep-alive connection that costs its process little: one request at a time, prebuilt, and of the answer only the
 * head and a short body are looked at. Connects when it has to send, and again after a loss.
 */

import { connect, type Socket } from 'node:net';

export interface Answer {
  /** 0 where no answer came. */
  readonly status: number;
  /** In latin1. */
  readonly head: string;
  /** Empty if it was long. */
  readonly body: Buffer;
  /** Since the request was sent. */
  readonly ms: number;
}

/** A longer body is counted and dropped. */
const LONGEST_KEPT_BODY = 4096;
const NOTHING = Buffer.alloc(0);

export class HttpConnection {
  readonly #host: string;
  readonly #port: number;
  readonly #onAnswer: (answer: Answer) => void;
  #socket: Socket | undefined;
  /** What came and is not yet a whole head with its short body. */
  #begun: Buffer = NOTHING;
  #status = 0;
  #head = '';
  /** Bytes of a long body still to come. */
  #left = 0;
  /** ms of performance.now(); undefined while no request is under way. */
  #sentAt: number | undefined;
  bytesSent = 0;
  bytesReceived = 0;

  constructor(host: string, port: number, onAnswer: (answer: Answer) => void) {
    this.#host = host;
    this.#port = port;
    this.#onAnswer = onAnswer;
  }

  /** Only while no request is under way. The bytes must not change before the answer. */
  send(request: Buffer | string): void {
    this.#socket ??= this.#open();
    this.#sentAt = performance.now();
    this.bytesSent += request.length;
    this.#socket.write(request);
  }

  /** Gives the request up if it has waited for longer. */
  checkDeadline(limitMs: number): void {
    if (this.#sentAt !== undefined && performance.now() - this.#sentAt > limitMs) this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#begun = NOTHING;
      this.#left = 0;
      if (this.#sentAt !== undefined) this.#answer(0, '', NOTHING);
    });
    return socket;
  }

  #read(chunk: Buffer): void {
    this.bytesReceived += chunk.length;
    if (this.#left > 0) {
      this.#left -= chunk.length;
      if (this.#left <= 0) this.#answer(this.#status, this.#head, NOTHING);
      return;
    }
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) {
      this.#begun = bytes;
      return;
    }
    const head = bytes.toString('latin1', 0, end + 2);
    const status = Number(head.slice(9, 12));
    const length = status === 304 || status === 204 ? 0 : Number(headerOf(head, 'content-length') ?? 0);
    const bodyAt = end + 4;
    if (length > LONGEST_KEPT_BODY) {
      this.#begun = NOTHING;
      this.#status = status;
      this.#head = head;
      this.#left = bodyAt + length - bytes.length;
      if (this.#left <= 0) this.#answer(status, head, NOTHING);
    } else if (bytes.length < bodyAt + length) this.#begun = bytes;
    else {
      this.#begun = NOTHING;
      this.#answer(status, head, bytes.subarray(bodyAt, bodyAt + length));
    }
  }

  #answer(status: number, head: string, body: Buffer): void {
    if (/^connection: close/im.test(head)) {
      const socket = this.#socket;
      this.#socket = undefined;
      socket?.destroy();
    }
    const ms = performance.now() - this.#sentAt!;
    this.#sentAt = undefined;
    this.#onAnswer({ status, head, body, ms });
  }
}

/** The value of a header, by its name in lower case. */
export function headerOf(head: string, name: string): string | undefined {
  const lower = head.indexOf(`\r\n${name}: `);
  const at = lower === -1 ? head.toLowerCase().indexOf(`\r\n${name}: `) : lower;
  if (at === -1) return undefined;
  const from = at + name.length + 4;
  return head.slice(from, head.indexOf('\r\n', from));
}
