/**
 * One file of changes on the disk: it is created with the changes of a moment and then appended to, until another one
 * takes its place. It knows its size, and its inode to recognize it by, but not when it is replaced.
 */

import type { Stats } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Change } from '../memory/journal.ts';
import { writeLines } from './change-lines.ts';
import { findDisturbance, type Disturbance } from './disturbance.ts';
import { HEADER } from './file-format.ts';

/** A file is large once it is this many times its size when new, and has more than a few bytes. */
const GROWTH = 3;
const FEW_BYTES = 1_048_576;

export class ChangeFile {
  readonly #handle: FileHandle;
  readonly #stats: Stats;
  readonly #bytesWhenNew: number;
  #bytes: number;
  #isComplete = true;

  private constructor(handle: FileHandle, stats: Stats, bytes: number) {
    this.#handle = handle;
    this.#stats = stats;
    this.#bytesWhenNew = bytes;
    this.#bytes = bytes;
  }

  /**
   * Writes a new file, and resolves when the disk has it. Anything else with this name, even a link, is deleted first
   * and not written to. If it rejects, it leaves no file behind.
   */
  static async create(path: string, mode: number, changes: Iterable<Change>): Promise<ChangeFile> {
    await rm(path, { force: true });
    const handle = await open(path, 'ax', mode);
    try {
      const bytes = await writeLines(handle, changes, HEADER);
      await handle.sync();
      return new ChangeFile(handle, await handle.stat(), bytes);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** The mode of the file, as in Stats: its type and its permissions. */
  get mode(): number {
    return this.#stats.mode;
  }

  /** Whether all appended changes are in the file. If not, append() does nothing any more. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get hasGrown(): boolean {
    return this.#bytes > this.#bytesWhenNew;
  }

  get isLarge(): boolean {
    return this.#bytes > Math.max(FEW_BYTES, GROWTH * this.#bytesWhenNew);
  }

  /** Appends the changes. If one cannot be written, it closes the file and rejects. */
  async append(changes: Iterable<Change>): Promise<void> {
    if (!this.#isComplete) return;
    try {
      this.#bytes += await writeLines(this.#handle, changes);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Finds out whether another program disturbed the file with this name. No append() may run meanwhile. */
  findDisturbance(path: string): Promise<Disturbance | undefined> {
    return findDisturbance(path, this.#stats, this.#isComplete ? this.#bytes : undefined);
  }

  /** Closes the file; append() then does nothing any more. Never rejects. */
  async close(): Promise<void> {
    this.#isComplete = false;
    await this.#handle.close().catch(() => undefined);
  }
}
