/**
 * A Journal in a file. It appends the changes of one turn of the event loop in one write. It replaces the file by a new
 * one with only the present content: at the start and the end, when the file has grown much larger than that, when a
 * change could not be appended, and when another program has changed it. It does not know what the changes mean, nor
 * how a file is replaced (replaceable-file.ts).
 *
 * A journal is enough: each line is the whole truth about one id, so only its last line counts. Libraries that replace
 * files atomically take the whole content as one text, which would stall every request at 100,000 entries.
 */

import { realpath } from 'node:fs/promises';
import { DEADLINES, type Deadlines } from '../../runtime/deadlines.ts';
import { coalesce } from '../../runtime/coalesce.ts';
import type { Change, Journal } from '../memory/journal.ts';
import { systemClock, type Clock } from '../registry.ts';
import { readChangeLines } from './change-lines.ts';
import { FileLock, type Processes } from './file-lock.ts';
import { ReplaceableFile, type OnDisturbed } from './replaceable-file.ts';

export interface DataFileOptions {
  readonly processes: Processes;
  readonly events?: Partial<DataFileEvents>;
  /** The clock whose timers start the checks. */
  readonly clock?: Clock;
  readonly deadlines?: Pick<Deadlines, 'fileWriteMs'>;
}

export interface DataFileEvents extends TroubleEvents {
  /** The file ended in the middle of a line, which was dropped: an earlier process was cut off while it wrote. */
  onTornLine(): void;
  /** Versions lay in the far future: all entries have new ones, in the same order. */
  onRenumbered(): void;
  /** The file was written anew because another program had changed it. */
  onDisturbed: OnDisturbed;
}

/** How long close() may take: a service has one second to end after its last request. */
const LONGEST_CLOSE_MS = 900;

/** How often the file is compared with what it should be; that also repeats a write that failed. */
const CHECK_INTERVAL_MS = 5000;

/** The errors that do not stop a start: a list in memory is better than none. Any other is a mistake of the setup. */
const DISK_IS_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

export class DataFile implements Journal {
  readonly #lock: FileLock;
  readonly #file: ReplaceableFile;
  readonly #trouble: Trouble;
  readonly #longestWriteMs: number;
  readonly #stopChecking: () => void;
  readonly #commit = coalesce(() => this.#writeInTime());
  /** The last commit, which writes everything that was appended so far. */
  #committed: Promise<void> | undefined;
  /** The replacement under way; it resolves when the file has been replaced, or could not be. */
  #replacing: Promise<void> | undefined;
  /** Returns the present content: the last change of each id. */
  #content: () => Iterable<Change>;

  private constructor(
    lock: FileLock,
    file: ReplaceableFile,
    trouble: Trouble,
    content: () => Iterable<Change>,
    { clock, deadlines }: Required<Pick<DataFileOptions, 'clock' | 'deadlines'>>,
  ) {
    this.#lock = lock;
    this.#file = file;
    this.#trouble = trouble;
    this.#content = content;
    this.#longestWriteMs = deadlines.fileWriteMs;
    this.#stopChecking = clock.every(
      CHECK_INTERVAL_MS,
      coalesce(() => this.#check()),
    );
  }

  /**
   * Reads the file; a missing or empty one begins a new registry. Rejects, with one line for people, if the file
   * belongs to another program, is damaged, is in use by another process, or cannot be read or written; it is then left
   * as it was.
   */
  static async open(path: string, options: DataFileOptions): Promise<DataFile> {
    try {
      // A symbolic link stays; the file that it leads to is replaced.
      const realPath = await realpath(path).catch(() => path);
      const lock = new FileLock(realPath, options.processes);
      await lock.take();
      return await DataFile.#read(lock, options).catch(async (error: unknown) => {
        await lock.release();
        throw error;
      });
    } catch (error) {
      throw new Error(`the data file ${path} cannot be used: ${(error as Error).message}`, { cause: error });
    }
  }

  static async #read(
    lock: FileLock,
    { events = {}, clock = systemClock, deadlines = DEADLINES }: DataFileOptions,
  ): Promise<DataFile> {
    const { changes, isTorn, isRenumbered } = await readChangeLines(lock.path);
    const file = new ReplaceableFile(lock, events.onDisturbed);
    const trouble = new Trouble(events);
    await file.replace(changes.values()).catch((error: NodeJS.ErrnoException) => {
      if (!DISK_IS_FULL.includes(error.code)) throw error;
      trouble.begin('failed', error);
    });
    if (isTorn) events.onTornLine?.();
    if (isRenumbered) events.onRenumbered?.();
    return new DataFile(lock, file, trouble, () => changes.values(), { clock, deadlines });
  }

  begin(content: () => Iterable<Change>): Iterable<Change> {
    const kept = this.#content();
    this.#content = content;
    return kept;
  }

  append(change: Change): void {
    this.#file.add(change);
    this.#committed = this.#commit();
  }

  written(): Promise<void> | undefined {
    return this.#trouble.has('slow') ? undefined : this.#committed;
  }

  /** Call it after the registry is closed. Writes what is left, and a small file if there is time. Never rejects. */
  async close(): Promise<void> {
    this.#stopChecking();
    // If the file is still in use, the lock stays until the process ends.
    if (await isDoneWithin(LONGEST_CLOSE_MS, this.#finish()))
      await this.#lock.release().catch(() => undefined);
  }

  async #finish(): Promise<void> {
    await this.#committed;
    await this.#replacing;
    if (this.#file.hasGrown) await this.#replace();
    else await this.#check();
    await this.#file.close();
  }

  /** Writes, but resolves after #longestWriteMs at the latest: no caller waits for a disk that does not answer. */
  async #writeInTime(): Promise<void> {
    if (await isDoneWithin(this.#longestWriteMs, this.#write())) return;
    this.#trouble.begin('slow', new Error(`a write takes longer than ${this.#longestWriteMs} ms`));
  }

  async #write(): Promise<void> {
    try {
      await this.#file.write();
      this.#trouble.end('slow');
    } catch (error) {
      this.#trouble.begin('failed', error);
    }
    if (this.#file.isLarge && !this.#trouble.has('failed')) void this.#replace();
  }

  /** Replaces the file if changes are missing in it, or if another program has changed it. */
  async #check(): Promise<void> {
    const isWhole = !this.#trouble.has('failed') && (await this.#file.findDisturbance()) === undefined;
    if (!isWhole) await this.#replace();
  }

  /** Replaces the file, once for all who call meanwhile. Never rejects. */
  #replace(): Promise<void> {
    this.#replacing ??= this.#tryToReplace().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  async #tryToReplace(): Promise<void> {
    try {
      await this.#file.replace(this.#content());
      // A write to the new file may have failed already.
      if (this.#file.isComplete) this.#trouble.end('failed');
    } catch (error) {
      this.#trouble.begin('failed', error);
    }
  }
}

/** Whether `work` ends in time; it must not reject. Work that ended while the event loop was blocked counts as done. */
async function isDoneWithin(limitMs: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), limitMs);
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}

/** `slow`: a write does not end. `failed`: a change could not be written, or the file not replaced. */
type TroubleCause = 'slow' | 'failed';

interface TroubleEvents {
  /** Changes do not get into the file. It is emitted once, until onWritable. */
  onUnwritable(reason: unknown): void;
  onWritable(): void;
}

/** Emits once that changes do not get into the file, and once that all of them have again. */
class Trouble {
  readonly #events: Partial<TroubleEvents>;
  readonly #causes = new Set<TroubleCause>();

  constructor(events: Partial<TroubleEvents>) {
    this.#events = events;
  }

  has(cause: TroubleCause): boolean {
    return this.#causes.has(cause);
  }

  begin(cause: TroubleCause, reason: unknown): void {
    const isFirst = this.#causes.size === 0;
    this.#causes.add(cause);
    if (isFirst) this.#events.onUnwritable?.(reason);
  }

  end(cause: TroubleCause): void {
    const wasThere = this.#causes.delete(cause);
    if (wasThere && this.#causes.size === 0) this.#events.onWritable?.();
  }
}
