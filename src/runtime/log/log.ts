/**
 * The log: pino's lines, gathered and written together, to an output that may be full, closed, or read by no program.
 * The service never waits for it and never ends because of it: lines that cannot be written are kept up to a limit,
 * then dropped and counted. Must not know what is logged, nor that there is a process.
 */

import { write } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';
import { unblockWrites } from '../node-internals.ts';
import { parsePrintable, printableJson } from '../../model/printable.ts';

/** Writes as many of the bytes as it can, and passes their number to `done`. Called again only after `done`. */
type Write = (bytes: Buffer, done: (error: Error | null | undefined, written: number) => void) => void;

/** The most that is kept for an output that takes nothing, in characters: some 20,000 lines. */
const LIMIT = 4 * 1024 * 1024;

/** Room for the line that says how many were dropped. */
const ROOM_FOR_NOTICE = 1024;

/** How long lines are gathered before they are written together: one write for each line costs more than the line. */
const GATHER_MS = 5;

/** How long after a failed write the next one is tried. */
const RETRY_MS = 100;

/**
 * The largest write where several processes share a pipe: Linux keeps it in one piece, so that lines of one process
 * never come into those of another. A longer line may be torn while nobody reads.
 */
const SHARED_BATCH_BYTES = 4096;

/** How long the end of the process may be delayed. */
const FLUSH_LIMIT_MS = 500;

/** Lines on their way out, in order. */
class LogQueue {
  #waiting: string[] = [];
  /** The part of the current batch that is still to be written. */
  #rest: Buffer = Buffer.alloc(0);
  #batchLength = 0;
  /** Characters, of the batch and of the lines that wait. */
  #length = 0;
  /** Whether a write is due, under way, or to be tried again. */
  #busy = false;
  #dropped = 0;
  #untold = 0;
  #whenIdle: (() => void)[] = [];
  readonly #write: Write;
  readonly #onGap: (dropped: number) => void;
  readonly #isShared: boolean;

  /**
   * `onGap` is called where lines are missing, once the output takes lines again. `isShared`: other processes write to
   * the output too.
   */
  constructor(to: Write, onGap: (dropped: number) => void, isShared: boolean) {
    this.#write = to;
    this.#onGap = onGap;
    this.#isShared = isShared;
  }

  /** How many lines were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Queues a line, with its newline. */
  write(line: string): void {
    if (this.#length + line.length > LIMIT) {
      this.#dropped += 1;
      this.#untold += 1;
      return;
    }
    this.#waiting.push(line);
    this.#length += line.length;
    if (this.#busy) return;
    this.#busy = true;
    this.#writeSoon(GATHER_MS);
  }

  /** Resolves once everything is written, at the latest after half a second. */
  async flush(): Promise<void> {
    if (!this.#busy) return;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, FLUSH_LIMIT_MS);
      this.#whenIdle.push(() => {
        clearTimeout(limit);
        resolve();
      });
    });
  }

  #writeSoon(delayMs: number): void {
    setTimeout(() => this.#writeBatch(), delayMs);
  }

  #writeBatch(): void {
    if (this.#rest.length === 0) {
      const text = this.#takeBatch();
      this.#batchLength = text.length;
      this.#rest = Buffer.from(text);
    }
    this.#write(this.#rest, (error, written) => {
      this.#rest = this.#rest.subarray(written);
      if (error) this.#writeSoon(RETRY_MS);
      else if (this.#rest.length > 0) this.#writeBatch();
      else this.#finishBatch();
    });
  }

  #takeBatch(): string {
    const lines = this.#waiting;
    let count = this.#isShared ? 0 : lines.length;
    if (this.#isShared)
      for (let bytes = 0; count < lines.length; count += 1) {
        bytes += Buffer.byteLength(lines[count]!);
        if (bytes > SHARED_BATCH_BYTES && count > 0) break;
      }
    this.#waiting = lines.slice(count);
    return lines.slice(0, count).join('');
  }

  #finishBatch(): void {
    this.#length -= this.#batchLength;
    if (this.#untold > 0 && this.#length <= LIMIT - ROOM_FOR_NOTICE) {
      const dropped = this.#untold;
      this.#untold = 0;
      this.#onGap(dropped);
    }
    if (this.#waiting.length > 0) return this.#isShared ? this.#writeBatch() : this.#writeSoon(GATHER_MS);
    this.#busy = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

export interface Log {
  readonly logger: Logger;
  /** How many lines were dropped so far. */
  readonly droppedLines: () => number;
  /** Resolves once everything is written, at the latest after half a second: for the end of the process. */
  readonly flush: () => Promise<void>;
}

export interface LogOptions {
  readonly level: string;
  readonly format: 'json' | 'pretty';
  /** A standard stream. The caller has to listen to its error events. */
  readonly output: Writable & { readonly fd: number; readonly isTTY: boolean };
  /** Fields that each line gets. */
  readonly fields?: Readonly<Record<string, number>>;
  /** Whether other processes write to the output too. */
  readonly isShared?: boolean;
}

/** Loads pino-pretty only for the pretty format. */
export async function createLog(options: LogOptions): Promise<Log> {
  const { level, format, output, fields = null, isShared = false } = options;
  const onGap = (count: number): void =>
    logger.error({ count }, 'log lines were dropped here: the output of the log did not take them');
  const queue: LogQueue = new LogQueue(writeTo(output), onGap, isShared);
  const textOf = await lineFormat(format, output.isTTY);
  const logger = pino(
    { level, base: fields, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => queue.write(textOf(line)) },
  );
  return { logger, droppedLines: () => queue.dropped, flush: () => queue.flush() };
}

/** Returns the renderer of a line of pino in the format of the log. */
async function lineFormat(
  format: LogOptions['format'],
  colorize: boolean,
): Promise<(line: string) => string> {
  if (format === 'json') return printableJson;
  const { prettyFactory } = await import('pino-pretty');
  const prettify = prettyFactory({ translateTime: 'SYS:HH:MM:ss', colorize });
  return (line) => prettify(parsePrintable(line));
}

/**
 * Nothing here blocks. Pipes, sockets and terminals are streams of libuv, which writes as much as they take and waits
 * for the rest in its event loop; a write in its thread pool would hold the thread, and the end of the process, until a
 * reader reads. Files never make a writer wait: they are written in the thread pool, and short writes are noticed here,
 * while Node's own stream for files ignores them.
 */
function writeTo(output: LogOptions['output']): Write {
  if (!(output instanceof Socket)) return (bytes, done) => write(output.fd, bytes, done);
  // Ctrl-S would stop the service if writes blocked.
  unblockWrites(output);
  return (bytes, done) => output.write(bytes, (error) => done(error, error ? 0 : bytes.length));
}
