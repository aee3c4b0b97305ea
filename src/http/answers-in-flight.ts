/**
 * Answers on their way to readers that do not take them at once. Each reader has to keep a pace, and all that waits
 * for readers has a limit; a reader that does not keep up is cut off. Knows bodies as bytes, nothing of lists, and
 * costs an answer that its reader takes at once next to nothing.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock, type Clock } from '../registry/registry.ts';

/**
 * `too_slow`: below the pace. `memory`: too much waited in all, and it was the slowest. `pipelining`: too many
 * requests sent ahead.
 */
export const CUT_OFF_REASONS = ['too_slow', 'memory', 'pipelining'] as const;
export type CutOffReason = (typeof CUT_OFF_REASONS)[number];

/** A reader that was cut off. */
export interface CutOff {
  readonly reason: CutOffReason;
  readonly remoteAddress: string | undefined;
  /** What it had taken of the answers it was given since it last had nothing to wait for. */
  readonly takenBytes: number;
}

export interface AnswersInFlightOptions {
  /** What may wait for readers in all, in bytes. */
  readonly maxWaitingBytes: number;
  readonly onCutOff: (cutOff: CutOff) => void;
  /** So many bytes wait now. */
  readonly onWaiting?: (bytes: number) => void;
  readonly clock?: Pick<Clock, 'every'>;
}

/** Below the slowest phone that is to get its list (20 kB/s). An answer thus has a second for each 16 KiB, and a pause. */
export const MIN_BYTES_PER_SECOND = 16 * 1024;
/**
 * The longest that a reader may seem to take nothing, however fast it was before. Linux says that a socket has room
 * again only when a third of its send buffer is free, 1.4 MB of at most 4 MiB by default: 85 s at the pace above,
 * and a piece that then still waits for its end is not counted yet.
 */
export const LONGEST_PAUSE_S = 120;
const CHECK_INTERVAL_MS = 1000;
/**
 * A longer body is written in pieces, the next one when the last was taken: that is how progress is seen. A piece has
 * to be taken within LONGEST_PAUSE_S at the pace (64 s), and smaller ones cost long lists a fifth of their speed.
 */
export const PIECE_BYTES = 1024 * 1024;
/** A request takes about 4 KB until it is answered, and 2,400 of them fit into what is read from a socket at once. */
export const MAX_PIPELINED = 100;

/** Compared by identity: a Buffer that many readers wait for is in memory once. */
type Body = Buffer | { readonly length: number };

interface Reader {
  readonly socket: Socket;
  /** In seconds of #now: it is cut off then unless it takes more. */
  dueAt: number;
  takenBytes: number;
  readonly bodies: Body[];
  readonly onClose: () => void;
}

export class AnswersInFlight {
  readonly #options: AnswersInFlightOptions;
  readonly #readers = new Map<Socket, Reader>();
  /** How many answers wait with this body. */
  readonly #uses = new Map<Body, number>();
  readonly #pipelined = new WeakMap<Socket, number>();
  #bytes = 0;
  #newest: Body | undefined;
  /** Seconds that were checked: time in which the process stood still is not held against readers. */
  #now = 0;
  #stopChecking: (() => void) | undefined;

  constructor(options: AnswersInFlightOptions) {
    this.#options = options;
  }

  /**
   * What is in memory because readers are slow, each body counted once, in bytes. Not the newest body: its maker is
   * likely to hold it still, and to cut off its readers would free nothing.
   */
  get waitingBytes(): number {
    return this.#bytes - (this.#newest?.length ?? 0);
  }

  /** Takes note of a request sent ahead of earlier answers; false if those are too many, and the reader was cut off. */
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

  /** Ends an answer whose head is written, with its whole body. */
  end(response: ServerResponse, body: string | Buffer): void {
    if (body.length > PIECE_BYTES && Buffer.isBuffer(body)) {
      this.#endInPieces(response, body);
      return;
    }
    response.end(body);
    if (response.writableLength > 0) this.#awaitFinish(response, body);
  }

  /** A short answer that is not taken at once: its reader does not read, or has earlier answers to read first. */
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
        // What is left of it is released when the socket closes.
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
        dueAt: this.#now + LONGEST_PAUSE_S,
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

  /** What was taken buys time for more. */
  #credit(reader: Reader, bytes: number): void {
    reader.takenBytes += bytes;
    reader.dueAt = Math.min(reader.dueAt + bytes / MIN_BYTES_PER_SECOND, this.#now + LONGEST_PAUSE_S);
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
    this.#now += 1;
    for (const { socket, dueAt } of this.#readers.values())
      if (dueAt <= this.#now) this.#cutOff(socket, 'too_slow');
    if (this.#readers.size > 0) return;
    this.#stopChecking?.();
    this.#stopChecking = undefined;
  };

  /** The slowest, in relation to the pace, go first. Those that wait only for the newest body would free nothing. */
  #makeRoom(): void {
    const { maxWaitingBytes } = this.#options;
    if (this.waitingBytes <= maxWaitingBytes) return;
    const slowestFirst = [...this.#readers.values()]
      .filter(({ bodies }) => bodies.some((body) => body !== this.#newest))
      .toSorted((a, b) => a.dueAt - b.dueAt);
    for (const { socket } of slowestFirst) {
      if (this.waitingBytes <= maxWaitingBytes) return;
      this.#cutOff(socket, 'memory');
    }
  }

  #cutOff(socket: Socket, reason: CutOffReason): void {
    const reader = this.#readers.get(socket);
    const { remoteAddress } = socket;
    if (reader !== undefined) this.#forget(reader);
    // Not destroy(): what the system holds for the reader would stay until it is read.
    socket.resetAndDestroy();
    this.#options.onCutOff({ reason, remoteAddress, takenBytes: reader?.takenBytes ?? 0 });
  }
}
