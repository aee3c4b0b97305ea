/**
 * Answers that their readers do not take at once. Each reader has to keep a minimum pace, and the memory of all waiting
 * bodies is limited: slow readers are cut off. An answer that its reader takes at once costs almost nothing here. Knows
 * bodies as bytes, and nothing of lists.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock, type Clock } from '../registry/registry.ts';

/**
 * `too_slow`: the reader was below the pace. `memory`: too many bytes waited in all, and it was the slowest reader.
 * `pipelining`: it sent too many requests ahead of their answers.
 */
export const CUT_OFF_REASONS = ['too_slow', 'memory', 'pipelining'] as const;
export type CutOffReason = (typeof CUT_OFF_REASONS)[number];

/** A reader that was cut off. */
export interface CutOff {
  readonly reason: CutOffReason;
  readonly remoteAddress: string | undefined;
  /** Bytes it had taken since it last had no answer to wait for. */
  readonly takenBytes: number;
}

export interface AnswersInFlightOptions {
  /** Limit of `waitingBytes`. */
  readonly maxWaitingBytes: number;
  readonly onCutOff: (cutOff: CutOff) => void;
  /** Called with `waitingBytes` after each change. */
  readonly onWaiting?: (bytes: number) => void;
  readonly clock?: Pick<Clock, 'every'>;
}

/**
 * Lower than the slowest phone that should get its list (20 kB/s). An answer has a second for each 16 KiB, and one
 * pause.
 */
export const MIN_BYTES_PER_SECOND = 16 * 1024;
/**
 * The longest time without progress, however fast the reader was before. Linux reports room in a socket only when a
 * third of its send buffer is free, 1.4 MB of at most 4 MiB by default: 85 s at the pace above, and a piece that is
 * not yet complete then does not count yet.
 */
export const LONGEST_PAUSE_S = 120;
const CHECK_INTERVAL_MS = 1000;
/**
 * A longer body is written in pieces, each one when the previous one was taken: this shows the progress of the
 * reader. At the pace a piece takes 64 s, which is within LONGEST_PAUSE_S; smaller pieces cost long lists a fifth of
 * their speed.
 */
export const PIECE_BYTES = 1024 * 1024;
/** An unanswered request takes about 4 KB of memory, and one read from a socket can hold 2,400 requests. */
export const MAX_PIPELINED = 100;

/** Compared by identity: a Buffer for which many readers wait is in memory once. */
type Body = Buffer | { readonly length: number };

interface Reader {
  readonly socket: Socket;
  /** In s of #elapsedS: the reader is cut off then, unless it takes more before. */
  dueS: number;
  takenBytes: number;
  readonly bodies: Body[];
  readonly onClose: () => void;
}

export class AnswersInFlight {
  readonly #options: AnswersInFlightOptions;
  readonly #readers = new Map<Socket, Reader>();
  /** The number of answers that wait with this body. */
  readonly #uses = new Map<Body, number>();
  readonly #pipelined = new WeakMap<Socket, number>();
  #bytes = 0;
  #newest: Body | undefined;
  /**
   * Counts the checks, one a second. During a process pause it stops, so that the pause does not count against
   * readers.
   */
  #elapsedS = 0;
  #stopChecking: (() => void) | undefined;

  constructor(options: AnswersInFlightOptions) {
    this.#options = options;
  }

  /**
   * The memory held for slow readers, in bytes, each body counted once. The newest body does not count: the list most
   * likely still holds it, so that cutting off its readers would free nothing.
   */
  get waitingBytes(): number {
    return this.#bytes - (this.#newest?.length ?? 0);
  }

  /** Counts the requests sent ahead of their answers. False if there are too many: then the reader was cut off. */
  admit(response: ServerResponse): boolean {
    if (response.socket !== null) return true;
    const { socket } = response.req;
    const ahead = (this.#pipelined.get(socket) ?? 0) + 1;
    this.#pipelined.set(socket, ahead);
    response.once('socket', () => this.#pipelined.set(socket, this.#pipelined.get(socket)! - 1));
    if (ahead <= MAX_PIPELINED) return true;
    if (!socket.destroyed) this.#cutOff(socket, 'pipelining');
    return false;
  }

  /** Sends the whole body of an answer whose head is written, and ends the answer. */
  end(response: ServerResponse, body: string | Buffer): void {
    if (body.length > PIECE_BYTES && Buffer.isBuffer(body)) {
      this.#endInPieces(response, body);
      return;
    }
    response.end(body);
    if (response.writableLength > 0) this.#awaitFinish(response, body);
  }

  /** Holds a short answer until it is taken: its reader does not read, or has earlier answers to read first. */
  #awaitFinish(response: ServerResponse, body: string | Buffer): void {
    if (response.req.socket.destroyed) return;
    const waiting = typeof body === 'string' ? { length: body.length } : body;
    const reader = this.#hold(response.req.socket, waiting);
    response.once('finish', () => {
      this.#credit(reader, waiting.length);
      this.#release(reader, waiting);
    });
  }

  #endInPieces(response: ServerResponse, body: Buffer): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    this.#newest = body;
    const reader = this.#hold(socket, body);
    let end = 0;
    const writeNext = (): void => {
      const start = end;
      end = Math.min(start + PIECE_BYTES, body.length);
      const piece = body.subarray(start, end);
      response.write(piece, (error) => {
        // The rest of the body is released when the socket closes.
        if (error || socket.destroyed) return;
        this.#credit(reader, piece.length);
        if (end < body.length) writeNext();
        else this.#release(reader, body);
      });
      if (end === body.length) response.end();
    };
    writeNext();
  }

  #hold(socket: Socket, body: Body): Reader {
    this.#stopChecking ??= (this.#options.clock ?? systemClock).every(CHECK_INTERVAL_MS, this.#check);
    const uses = this.#uses.get(body) ?? 0;
    this.#uses.set(body, uses + 1);
    if (uses === 0) this.#bytes += body.length;
    let reader = this.#readers.get(socket);
    if (reader === undefined) {
      const begun: Reader = {
        socket,
        dueS: this.#elapsedS + LONGEST_PAUSE_S,
        takenBytes: 0,
        bodies: [],
        onClose: () => this.#forget(begun),
      };
      socket.once('close', begun.onClose);
      this.#readers.set(socket, begun);
      reader = begun;
    }
    reader.bodies.push(body);
    this.#makeRoom();
    this.#options.onWaiting?.(this.waitingBytes);
    return reader;
  }

  /** Extends the deadline of the reader by the time that the bytes are worth at the pace. */
  #credit(reader: Reader, bytes: number): void {
    reader.takenBytes += bytes;
    reader.dueS = Math.min(reader.dueS + bytes / MIN_BYTES_PER_SECOND, this.#elapsedS + LONGEST_PAUSE_S);
  }

  #release(reader: Reader, body: Body): void {
    const index = reader.bodies.indexOf(body);
    if (index === -1) return;
    reader.bodies.splice(index, 1);
    this.#discount(body);
    if (reader.bodies.length === 0) this.#forget(reader);
  }

  #forget(reader: Reader): void {
    for (const body of reader.bodies.splice(0)) this.#discount(body);
    reader.socket.off('close', reader.onClose);
    this.#readers.delete(reader.socket);
  }

  #discount(body: Body): void {
    const uses = this.#uses.get(body)! - 1;
    if (uses > 0) this.#uses.set(body, uses);
    else {
      this.#uses.delete(body);
      this.#bytes -= body.length;
      if (body === this.#newest) this.#newest = undefined;
    }
    this.#options.onWaiting?.(this.waitingBytes);
  }

  readonly #check = async (): Promise<void> => {
    this.#elapsedS += 1;
    for (const { socket, dueS } of this.#readers.values())
      if (dueS <= this.#elapsedS) this.#cutOff(socket, 'too_slow');
    if (this.#readers.size > 0) return;
    this.#stopChecking?.();
    this.#stopChecking = undefined;
  };

  /** Cuts off readers, those furthest behind the pace first. Readers of the newest body alone would free nothing. */
  #makeRoom(): void {
    const { maxWaitingBytes } = this.#options;
    if (this.waitingBytes <= maxWaitingBytes) return;
    const slowestFirst = [...this.#readers.values()]
      .filter(({ bodies }) => bodies.some((body) => body !== this.#newest))
      .toSorted((a, b) => a.dueS - b.dueS);
    for (const { socket } of slowestFirst) {
      if (this.waitingBytes <= maxWaitingBytes) return;
      this.#cutOff(socket, 'memory');
    }
  }

  #cutOff(socket: Socket, reason: CutOffReason): void {
    const reader = this.#readers.get(socket);
    const { remoteAddress } = socket;
    if (reader !== undefined) this.#forget(reader);
    // destroy() would leave the bytes in the buffers of the system until they are read.
    socket.resetAndDestroy();
    this.#options.onCutOff({ reason, remoteAddress, takenBytes: reader?.takenBytes ?? 0 });
  }
}
