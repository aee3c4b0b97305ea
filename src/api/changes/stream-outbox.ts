/**
 * The queue of texts for one client of a stream. One text is written at a time, and the next one once it was taken.
 * Texts that wait are shared with other clients, and their bytes are counted.
 */

import type { ServerResponse } from 'node:http';
import type { CompressedText, SharedText } from '../work/shared-text.ts';
import { combineCrc } from '../../runtime/bytes/crc.ts';
import { GZIP_HEADER, gzipEnd, storedPiece } from '../../runtime/bytes/gzip.ts';
import { peerOf } from '../http/client.ts';
import type { HeldBody, WaitingMemory } from '../http/server/waiting-memory.ts';
import { writeRope } from '../http/server/write-rope.ts';

/**
 * A text as it is sent. The values about its plain bytes are for the end of a gzip file; they are 0 if it is sent
 * plain.
 */
export type Sendable = CompressedText;

/** The text as it is sent plain; in gzip it is sent as CompressedText. */
export function plainSendable(text: SharedText): Sendable {
  return { rope: text.plain, plainLength: 0, crc: 0, shift: 0 };
}

interface Waiting {
  readonly sent: Sendable;
  readonly body: HeldBody;
  /** The bytes that the connection has not taken yet. */
  left: number;
}

export class Outbox {
  readonly isGzip: boolean;
  readonly #response: ServerResponse;
  readonly #memory: WaitingMemory;
  readonly #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #waitingBytes = 0;
  /** The last text of the stream, once its end was asked for. */
  #lastText: string | undefined;
  /** The CRC of the plain bytes sent so far. */
  #crc = 0;
  #plainLength = 0;

  /** The head of the response must be written already. `greeting`: a short text for this client alone. */
  constructor(response: ServerResponse, isGzip: boolean, greeting: string, memory: WaitingMemory) {
    this.#response = response;
    this.isGzip = isGzip;
    this.#memory = memory;
    // An error of the connection means no more than its end.
    response.on('error', () => undefined);
    response.once('close', () => this.#forget());
    if (isGzip) response.write(GZIP_HEADER);
    response.write(this.#short(greeting));
  }

  /** The bytes that the connection has not taken yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get remoteAddress(): string | undefined {
    return peerOf(this.#response.req.socket);
  }

  add(sent: Sendable): void {
    if (this.#lastText !== undefined || this.#isOver) return;
    const body = this.#memory.hold({ parts: sent.rope.parts, kind: '' });
    const waiting = { sent, body, left: sent.rope.length };
    this.#waitingBytes += waiting.left;
    this.#queue.push(waiting);
    if (this.#current === undefined) this.#writeNext();
  }

  /** Ends the stream after all that waits, with a short text for this client alone, and closes the connection. */
  end(lastText: string): void {
    if (this.#lastText !== undefined || this.#isOver) return;
    this.#lastText = lastText;
    if (this.#current === undefined) this.#writeNext();
  }

  /** Ends the connection at once; texts that wait are not sent any more. */
  cutOff(): void {
    this.#forget();
    // destroy() would leave the bytes in the buffers of the system until they are read.
    this.#response.req.socket.resetAndDestroy();
  }

  get #isOver(): boolean {
    return this.#response.destroyed || this.#response.req.socket.destroyed;
  }

  #writeNext(): void {
    this.#current = this.#queue.shift();
    if (this.#isOver) this.#forget();
    else if (this.#current !== undefined) this.#write(this.#current);
    else if (this.#lastText !== undefined) this.#finish(this.#lastText);
  }

  #write(waiting: Waiting): void {
    if (this.isGzip) this.#count(waiting.sent);
    // Bytes that are left when the connection ends are released when it closes.
    writeRope(this.#response, waiting.sent.rope, {
      onTaken: (bytes, wholeParts) => this.#take(waiting, bytes, wholeParts),
      onDone: () => this.#writeNext(),
    });
  }

  #finish(lastText: string): void {
    const { socket } = this.#response.req;
    // If it stayed open, the connection would wait for another request, which had better go to another replica.
    this.#response.once('finish', () => socket.end());
    const last = this.#short(lastText);
    this.#response.end(this.isGzip ? Buffer.concat([last, gzipEnd(this.#crc, this.#plainLength)]) : last);
  }

  /** A text that is too short for compression, as it is sent. */
  #short(text: string): Buffer {
    const bytes = Buffer.from(text);
    if (!this.isGzip) return bytes;
    const piece = storedPiece(bytes);
    this.#count(piece);
    return piece.deflated;
  }

  #count({ crc, plainLength, shift }: Omit<Sendable, 'rope'>): void {
    this.#crc = combineCrc(this.#crc, crc, shift);
    this.#plainLength += plainLength;
  }

  #take(waiting: Waiting, bytes: number, wholeParts?: number): void {
    this.#memory.release(waiting.body, wholeParts);
    waiting.left -= bytes;
    this.#waitingBytes -= bytes;
  }

  #forget(): void {
    const all = [...(this.#current === undefined ? [] : [this.#current]), ...this.#queue.splice(0)];
    this.#current = undefined;
    for (const waiting of all) this.#take(waiting, waiting.left);
  }
}
