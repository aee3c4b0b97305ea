/**
 * A Journal in a file. Changes are appended to it, those of one turn of the event loop in one write. Now and then
 * the file is replaced by a new one, written beside it, with only the present content: at the start and the end,
 * when it has grown much larger than that, when a change could not be appended, and when it is no longer what was
 * written last. So what is under its name is whole at any moment, but for a last line that was being written. Knows
 * nothing of what the changes mean.
 */

import type { Stats } from 'node:fs';
import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { coalesce } from '../coalesce.ts';
import { keepLast, readChanges, writeLines } from './change-lines.ts';
import { HEADER } from './file-format.ts';
import { findDisturbance, keepAside, type Disturbance } from './disturbance.ts';
import { lockFile, type Processes } from './file-lock.ts';
import type { GameServerId } from '../game-server.ts';
import type { Change, Journal } from '../memory/journal.ts';
import { systemClock, type Clock } from '../registry.ts';

export interface DataFileOptions {
  readonly processes: Processes;
  readonly events?: Partial<DataFileEvents>;
  /** For timers. */
  readonly clock?: Clock;
}

export interface DataFileEvents {
  /** The file ended in the middle of a line, which was dropped: an earlier process was cut off. */
  onTornLine(): void;
  /** Places in the list lay in the far future: all have new ones, in the same order. */
  onRenumbered(): void;
  /**
   * Another program laid hands on the file while it was in use, and it has been written anew. What was found under
   * its name, if anything, is in the file `keptAs`.
   */
  onDisturbed(what: Disturbance, keptAs: string | undefined): void;
  /** Changes do not get into the file: told once, until all have again. */
  onUnwritable(reason: unknown): void;
  onWritable(): void;
}

/** The file is replaced when it is so many times larger than when it was new, but not for a few lines. */
const GROWTH = 3;
const FEW_BYTES = 1_048_576;

/** Who waits for an acknowledgement waits for two turns at the most, and has 2 s. */
const LONGEST_TURN_MS = 500;

/** Of the second that is left to a service when its last request has ended. */
const LONGEST_CLOSE_MS = 900;

/** How soon it is tried again, and noticed what others did to the file. */
const LOOK_INTERVAL_MS = 5000;

/** To the file, whatever its mode: whether GSLS may write is up to the directory. */
const OWN_ACCESS = 0o600;

/** At the start: better a list in memory than none. Whatever else is wrong somebody has set up wrongly. */
const DISK_IS_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

export class DataFile implements Journal {
  readonly #path: string;
  readonly #processes: Processes;
  readonly #events: Partial<DataFileEvents>;
  readonly #unlock: () => Promise<void>;
  #stopLooking = (): void => undefined;
  #content: () => Iterable<Change>;
  readonly #commit = coalesce(() => this.#writeInTime());
  /** The last commit: it writes everything appended so far. */
  #committed: Promise<void> | undefined;
  /** Appended, and not written yet. */
  #pending = new Map<GameServerId, Change>();
  /** What uses the file does so one after the other. */
  #lane: Promise<unknown> = Promise.resolve();
  /** Undefined when changes are missing in the file: then only replacing it helps. */
  #file: FileHandle | undefined;
  /** What the file was when it was new, by which it is known again. Undefined until the first one is written. */
  #stats: Stats | undefined;
  #bytes = 0;
  #bytesWhenNew = 0;
  #replacing: Promise<void> | undefined;
  /** Written since the content was taken that will replace the file. */
  #since: Map<GameServerId, Change> | undefined;
  #mustReplace = false;
  #isLate = false;
  #toldTrouble = false;

  private constructor(
    path: string,
    changes: ReadonlyMap<GameServerId, Change>,
    processes: Processes,
    events: Partial<DataFileEvents>,
    unlock: () => Promise<void>,
  ) {
    this.#path = path;
    this.#processes = processes;
    this.#content = () => changes.values();
    this.#events = events;
    this.#unlock = unlock;
  }

  /**
   * A missing or empty file is a new registry. Rejects, with one line for people, when the file is none of ours,
   * damaged, used by another process, or cannot be read or written; it is then left as it was.
   */
  static async open(path: string, options: DataFileOptions): Promise<DataFile> {
    try {
      // The file itself will be replaced, not a link to it.
      const realPath = await realpath(path).catch(() => path);
      const unlock = await lockFile(realPath, options.processes);
      return await DataFile.#read(realPath, options, unlock).catch(async (error: unknown) => {
        await unlock();
        throw error;
      });
    } catch (error) {
      throw new Error(`the data file ${path} cannot be used: ${(error as Error).message}`, { cause: error });
    }
  }

  static async #read(
    path: string,
    { processes, events = {}, clock = systemClock }: DataFileOptions,
    unlock: () => Promise<void>,
  ): Promise<DataFile> {
    const { changes, isTorn, isRenumbered } = await readChanges(path);
    const dataFile = new DataFile(path, changes, processes, events, unlock);
    await dataFile.#replace().catch((error: NodeJS.ErrnoException) => {
      if (!DISK_IS_FULL.includes(error.code)) throw error;
      dataFile.#mustReplace = true;
      dataFile.#tellTrouble(error);
    });
    if (isTorn) events.onTornLine?.();
    if (isRenumbered) events.onRenumbered?.();
    dataFile.#stopLooking = clock.every(
      LOOK_INTERVAL_MS,
      coalesce(() => dataFile.#mend()),
    );
    return dataFile;
  }

  begin(content: () => Iterable<Change>): Iterable<Change> {
    const kept = this.#content();
    this.#content = content;
    return kept;
  }

  append(change: Change): void {
    keepLast(this.#pending, change);
    this.#committed = this.#commit();
  }

  written(): Promise<void> | undefined {
    return this.#isLate ? undefined : this.#committed;
  }

  /** After the registry. Leaves the file small, if there is time for it, and never rejects. */
  async close(): Promise<void> {
    this.#stopLooking();
    // A lock that is still needed goes with the process.
    if (await isDoneWithin(LONGEST_CLOSE_MS, this.#finish())) await this.#unlock().catch(() => undefined);
  }

  async #finish(): Promise<void> {
    await this.#committed;
    await this.#replacing?.catch(() => undefined);
    if (this.#bytes > this.#bytesWhenNew) await this.#tryToReplace();
    else await this.#mend();
    await this.#file?.close().catch(() => undefined);
  }

  /** Keeps nobody waiting for a file that does not answer. */
  async #writeInTime(): Promise<void> {
    if (
      await isDoneWithin(
        LONGEST_TURN_MS,
        this.#alone(() => this.#writePending()),
      )
    )
      return;
    this.#isLate = true;
    this.#tellTrouble(new Error(`a write takes longer than ${LONGEST_TURN_MS} ms`));
  }

  async #writePending(): Promise<void> {
    const changes = this.#pending;
    this.#pending = new Map();
    if (this.#since !== undefined) for (const change of changes.values()) keepLast(this.#since, change);
    try {
      if (this.#file !== undefined) this.#bytes += await writeLines(this.#file, changes.values());
      this.#isLate = false;
      this.#tellTrouble();
    } catch (error) {
      await this.#abandonFile();
      this.#tellTrouble(error);
    }
    const isLarge = this.#bytes > Math.max(FEW_BYTES, GROWTH * this.#bytesWhenNew);
    if (isLarge && !this.#mustReplace) void this.#tryToReplace();
  }

  async #abandonFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#mustReplace = true;
    await file?.close().catch(() => undefined);
  }

  async #tryToReplace(): Promise<void> {
    try {
      await this.#replace();
      this.#tellTrouble();
    } catch (error) {
      this.#mustReplace = true;
      this.#tellTrouble(error);
    }
  }

  /** Writes the file anew if it lacks changes or is not what it was. */
  async #mend(): Promise<void> {
    const isWhole = !this.#mustReplace && (await this.#alone(() => this.#findDisturbance())) === undefined;
    if (!isWhole) await this.#tryToReplace();
  }

  /** Nothing may be writing to the file meanwhile. */
  async #findDisturbance(): Promise<Disturbance | undefined> {
    if (this.#stats === undefined) return undefined;
    return findDisturbance(this.#path, this.#stats, this.#file && this.#bytes);
  }

  #replace(): Promise<void> {
    this.#replacing ??= this.#writeAnew().finally(() => {
      this.#since = undefined;
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  /** Changes go on into the old file, until the new one has caught up and takes its name. */
  async #writeAnew(): Promise<void> {
    const since = new Map<GameServerId, Change>();
    this.#since = since;
    const content = this.#content();
    const path = `${this.#path}.new`;
    const { mode } = (await stat(this.#path).catch(() => this.#stats)) ?? { mode: 0o666 };
    // Whatever lies there, be it a link, is taken away and not written to.
    await rm(path, { force: true });
    const file = await open(path, 'wx', mode | OWN_ACCESS);
    try {
      const bytes = await writeLines(file, content, HEADER);
      await file.sync();
      await this.#alone(async () => {
        const disturbance = await this.#findDisturbance();
        // With the directory the lock may be gone, and another process have its own.
        if (disturbance !== undefined) await lockFile(this.#path, this.#processes);
        const isThere = disturbance === 'replaced' || disturbance === 'changed';
        const keptAs = isThere ? await keepAside(this.#path) : undefined;
        const bytesSince = await writeLines(file, since.values());
        const stats = await file.stat();
        await file.close();
        await this.#abandonFile();
        await rename(path, this.#path);
        this.#stats = stats;
        this.#file = await open(this.#path, 'a');
        this.#mustReplace = false;
        this.#bytes = bytes + bytesSince;
        this.#bytesWhenNew = bytes;
        if (disturbance !== undefined) this.#events.onDisturbed?.(disturbance, keptAs);
      });
    } catch (error) {
      await file.close();
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  #alone<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#lane.then(task);
    this.#lane = done.catch(() => undefined);
    return done;
  }

  #tellTrouble(reason?: unknown): void {
    const isInTrouble = this.#mustReplace || this.#isLate;
    if (isInTrouble && !this.#toldTrouble) this.#events.onUnwritable?.(reason);
    if (!isInTrouble && this.#toldTrouble) this.#events.onWritable?.();
    this.#toldTrouble = isInTrouble;
  }
}

/** The work must not reject. When it was we who were held up, what is done meanwhile counts. */
async function isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), ms);
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}
