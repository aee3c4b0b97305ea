/**
 * Answers that their readers do not take at once. Each reader must keep a minimum pace, and the memory of all waiting
 * bodies is limited: slow readers are cut off. An answer that its reader takes at once costs almost nothing here.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isSentAhead, onceItHasConnection } from '../../../runtime/node-internals.ts';
import { systemClock, type Clock } from '../../../registry/registry.ts';
import type { Rope } from '../../../runtime/bytes/rope.ts';
import { peerOf } from '../client.ts';
import { WaitingMemory, type HeldBody, type WaitingBody } from './waiting-memory.ts';
import { PIECE_BYTES, writeRope } from './write-rope.ts';

/**
 * `too_slow`: the reader was below the pace. `memory`: too many bytes waited in all, and this reader was the slowest.
 * `pipelining`: the reader sent too many requests ahead of their answers.
 */
export const CUT_OFF_REASONS = ['too_slow', 'memory', 'pipelining'] as const;
export type CutOffReason = (typeof CUT_OFF_REASONS)[number];

/** A reader that was cut off. */
export interface CutOff {
  readonly reason: CutOffReason;
  /** The reader, as peerOf() finds it. */
  readonly remoteAddress: string | undefined;
  /** How many bytes the reader had taken since it last had no answer to wait for. */
  readonly takenBytes: number;
}

export interface AnswersInFlightOptions {
  /** The limit of `waitingBytes`. */
  readonly maxWaitingBytes: number;
  readonly onCutOff: (cutOff: CutOff) => void;
  /** Called with `waitingBytes` after each change. */
  readonly onWaiting?: (bytes: number) => void;
  readonly clock?: Pick<Clock, 'every'>;
}

/**
 * The minimum pace. It is below that of the slowest phone that should get its list (20 kB/s). An answer has a second
 * for each 16 KiB, and one pause.
 */
export const MIN_BYTES_PER_SECOND = 16 * 1024;
/**
 * The longest time without progress, however fast the reader was before. Linux reports room in a socket only when a
 * third of its send buffer is free, 1.4 MB of at most 4 MiB by default: 85 s at the pace above. A piece that is
 * incomplete by then does not count yet.
 */
export const LONGEST_PAUSE_S = 120;
const CHECK_INTERVAL_MS = 1000;
/** Requests that may be sent ahead of answers: each takes some 4 KB of memory, and one read can bring 2,400. */
export const MAX_PIPELINED = 100;

interface Reader {
  readonly socket: Socket;
  /** The time in s of #elapsedS when the reader is cut off, unless it takes more before. */
  dueS: number;
  takenBytes: number;
  /** The answers that the reader has not taken as a whole. */
  readonly answers: Set<HeldBody>;
  readonly onClose: () => void;
}

export class AnswersInFlight {
  readonly #options: AnswersInFlightOptions;
  readonly #readers = new Map<Socket, Reader>();
  readonly #memory = new WaitingMemory();
  readonly #pipelined = new WeakMap<Socket, number>();
  /**
   * The number of checks, one a second. It stands still while the process is paused, so that the pause does not count
   * against readers.
   */
  #elapsedS = 0;
  #stopChecking: (() => void) | undefined;

  constructor(options: AnswersInFlightOptions) {
    this.#options = options;
  }

  /** The memory for the parts of bodies that slow readers have not taken, in bytes, as WaitingMemory counts it. */
  get waitingBytes(): number {
    return this.#memory.bytes;
  }

  /** Counts the requests sent ahead of their answers. Returns false, and cuts the reader off, if there are too many. */
  admit(response: ServerResponse): boolean {
    if (!isSentAhead(response)) return true;
    const { socket } = response.req;
    const ahead = (this.#pipelined.get(socket) ?? 0) + 1;
    this.#pipelined.set(socket, ahead);
    onceItHasConnection(response, () => this.#pipelined.set(socket, this.#pipelined.get(socket)! - 1));
    if (ahead <= MAX_PIPELINED) return true;
    if (!socket.destroyed) this.#cutOff(socket, 'pipelining');
    return false;
  }

  /**
   * Sends the whole body of an answer whose head is written, and ends the answer. `kind`: the kind of body whose newest
   * one is also held elsewhere ('' if there is none).
   */
  end(response: ServerResponse, body: string | Rope, kind = ''): void {
    if (typeof body !== 'string' && body.length > PIECE_BYTES) return this.#endInPieces(response, body, kind);
    // A rope that is not longer than a piece has one part.
    const whole = typeof body === 'string' ? body : body.parts[0]!;
    response.end(whole);
    if (response.writableLength > 0) this.#awaitFinish(response, { parts: [whole], kind });
  }

  /** Holds a short answer until it is taken, if its reader does not read, or has earlier answers to read first. */
  #awaitFinish(response: ServerResponse, body: WaitingBody): void {
    if (response.req.socket.destroyed) return;
    const [reader, answer] = this.#hold(response.req.socket, body);
    response.once('finish', () => {
      this.#credit(reader, body.parts[0]!.length);
      this.#release(reader, answer);
    });
  }

  #endInPieces(response: ServerResponse, rope: Rope, kind: string): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const body = { parts: rope.parts, kind };
    this.#memory.replaceNewest(body);
    const [reader, answer] = this.#hold(socket, body);
    writeRope(response, rope, {
      onTaken: (bytes, wholeParts) => {
        this.#credit(reader, bytes);
        this.#take(answer, wholeParts);
      },
      onWritten: () => response.end(),
      // Parts that are left are released when the socket closes.
      onDone: () => this.#release(reader, answer),
    });
  }

  #hold(socket: Socket, body: WaitingBody): [Reader, HeldBody] {
    this.#stopChecking ??= (this.#options.clock ?? systemClock).every(CHECK_INTERVAL_MS, this.#check);
    const answer = this.#memory.hold(body);
    let reader = this.#readers.get(socket);
    if (reader === undefined) {
      const begun: Reader = {
        socket,
        dueS: this.#elapsedS + LONGEST_PAUSE_S,
        takenBytes: 0,
        answers: new Set(),
        onClose: () => this.#forget(begun),
      };
      socket.once('close', begun.onClose);
      this.#readers.set(socket, begun);
      reader = begun;
    }
    reader.answers.add(answer);
    this.#makeRoom();
    this.#options.onWaiting?.(this.waitingBytes);
    return [reader, answer];
  }

  /** Extends the deadline of the reader by the time that the bytes take at the minimum pace. */
  #credit(reader: Reader, bytes: number): void {
    reader.takenBytes += bytes;
    reader.dueS = Math.min(reader.dueS + bytes / MIN_BYTES_PER_SECOND, this.#elapsedS + LONGEST_PAUSE_S);
  }

  #take(answer: HeldBody, parts?: number): void {
    this.#memory.release(answer, parts);
    this.#options.onWaiting?.(this.waitingBytes);
  }

  #release(reader: Reader, answer: HeldBody): void {
    if (!reader.answers.delete(answer)) return;
    this.#take(answer);
    if (reader.answers.size === 0) this.#forget(reader);
  }

  #forget(reader: Reader): void {
    for (const answer of reader.answers) this.#take(answer);
    reader.answers.clear();
    reader.socket.off('close', reader.onClose);
    this.#readers.delete(reader.socket);
    if (this.#readers.size === 0) this.#memory.forgetNewest();
  }

  readonly #check = async (): Promise<void> => {
    this.#elapsedS += 1;
    for (const { socket, dueS } of this.#readers.values())
      if (dueS <= this.#elapsedS) this.#cutOff(socket, 'too_slow');
    if (this.#readers.size > 0) return;
    this.#stopChecking?.();
    this.#stopChecking = undefined;
  };

  /** Cuts off readers, those furthest behind the pace first. Readers of the newest bodies alone would free nothing. */
  #makeRoom(): void {
    const { maxWaitingBytes } = this.#options;
    if (this.waitingBytes <= maxWaitingBytes) return;
    const slowestFirst = [...this.#readers.values()].toSorted((a, b) => a.dueS - b.dueS);
    for (const { socket, answers } of slowestFirst) {
      if (this.waitingBytes <= maxWaitingBytes) return;
      if ([...answers].some((answer) => this.#memory.isHeldBy(answer))) this.#cutOff(socket, 'memory');
    }
  }

  #cutOff(socket: Socket, reason: CutOffReason): void {
    const reader = this.#readers.get(socket);
    const remoteAddress = peerOf(socket);
    if (reader !== undefined) this.#forget(reader);
    // destroy() would leave the bytes in the buffers of the system until they are read.
    socket.resetAndDestroy();
    this.#options.onCutOff({ reason, remoteAddress, takenBytes: reader?.takenBytes ?? 0 });
  }
}
