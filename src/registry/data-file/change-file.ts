/**
 * One file of changes on the disk: written with the changes of a moment, then appended to, until another one takes its
 * place. Knows how large it is and by what it is recognized; nothing of when it is replaced.
 */

import type { Stats } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Change } from '../memory/journal.ts';
import { writeLines } from './change-lines.ts';
import { findDisturbance, type Disturbance } from './disturbance.ts';
import { HEADER } from './file-format.ts';

/** A file is large when it is so many times larger than when it was new, but not for a few lines. */
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
   * Writes a new file, and resolves when the disk has it. Something else with this name, be it a link, is deleted first
   * and not written to. When it rejects it leaves no file behind.
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

  /** Its permissions, as of `stat`. */
  get mode(): number {
    return this.#stats.mode;
  }

  /** Whether all changes that were appended are in it. If not, nothing is appended any more. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get hasGrown(): boolean {
    return this.#bytes > this.#bytesWhenNew;
  }

  get isLarge(): boolean {
    return this.#bytes > Math.max(FEW_BYTES, GROWTH * this.#bytesWhenNew);
  }

  /** Rejects when a change could not be written, and closes the file then. */
  async append(changes: Iterable<Change>): Promise<void> {
    if (!this.#isComplete) return;
    try {
      this.#bytes += await writeLines(this.#handle, changes);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** What another program did to it under this name. Nothing may be appending meanwhile. */
  findDisturbance(path: string): Promise<Disturbance | undefined> {
    return findDisturbance(path, this.#stats, this.#isComplete ? this.#bytes : undefined);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#isComplete = false;
    await this.#handle.close().catch(() => undefined);
  }
}
