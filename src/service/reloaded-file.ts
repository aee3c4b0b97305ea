/**
 * A file of keys or secrets that is read again while the service runs: when it has changed, and when the operator asks.
 * A file that cannot be used changes nothing.
 */

import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ReadFile } from './config/option-files.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { systemClock, type Clock } from '../registry/registry.ts';

export interface ReloadedFileOptions {
  /** The name for the log, as in "key file". */
  readonly what: string;
  readonly path: string;
  /** The values that are in effect at first. */
  readonly values: readonly string[];
  /** The values, with those of the file. Throws an Error of one line that repeats none of them. */
  readonly read: (readFile: ReadFile) => readonly string[];
  /** Puts other values into effect. */
  readonly replace: (values: readonly string[]) => void;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'every'>;
}

/**
 * How often the file is looked at, in ms. Events of the file system would be faster, but they miss files that are
 * replaced, links that change their target, and all that happens on network drives.
 */
export const LOOK_INTERVAL_MS = 1000;

export class ReloadedFile {
  readonly #options: ReloadedFileOptions;
  readonly #stop: () => void;
  #values: readonly string[];
  /** How the file looked when it was looked at last, and when it was read last. */
  #seen: string | undefined;
  #read: string | undefined;
  /** Why the file cannot be used, as it was logged; undefined while it can. */
  #trouble: string | undefined;
  /** Settles when the last look or reload is done. Undefined when none runs. */
  #running: Promise<void> | undefined;

  constructor(options: ReloadedFileOptions) {
    this.#options = options;
    this.#values = options.values;
    this.#stop = (options.clock ?? systemClock).every(LOOK_INTERVAL_MS, async () => {
      // A file system that hangs is asked once.
      if (this.#running === undefined) await this.#run(() => this.#look());
    });
  }

  close(): void {
    this.#stop();
  }

  /** Reads the file at once and logs what came of it. Never rejects. */
  async reload(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    await this.#run(() => this.#reload());
  }

  async #run(task: () => Promise<void>): Promise<void> {
    this.#running = task().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #reload(): Promise<void> {
    const { what, path, logger } = this.#options;
    if ((await lookAt(path)) === undefined)
      return logger.warn({ path }, `the ${what} is a pipe or a device, which is read at the start only`);
    this.#trouble = undefined;
    const before = this.#values;
    await this.#readAgain();
    if (this.#trouble === undefined && this.#values === before)
      logger.info({ path, count: before.length }, `the ${what} was read again: nothing has changed`);
  }

  /**
   * A change counts when the file looks the same twice: editors and copies write a file in pieces, and two writes may
   * be closer together than the clock of the file system can tell. A file in trouble is read at each look, because its
   * trouble may lie elsewhere.
   */
  async #look(): Promise<void> {
    const seen = await lookAt(this.#options.path);
    const isSettled = seen === this.#seen;
    this.#seen = seen;
    if (seen === undefined || !isSettled) return;
    if (seen === this.#read && this.#trouble === undefined) return;
    this.#read = seen;
    await this.#readAgain();
  }

  async #readAgain(): Promise<void> {
    const { what, path, read, replace, logger } = this.#options;
    const text = await readFile(path, 'utf8').catch((error: Error) => error);
    try {
      const values = read(() => {
        if (text instanceof Error) throw text;
        return text;
      });
      const recovered = this.#trouble !== undefined;
      this.#trouble = undefined;
      const isChanged = !isDeepStrictEqual(values, this.#values);
      if (isChanged) {
        this.#values = values;
        replace(values);
      }
      const count = values.length;
      if (isChanged) logger.info({ path, count }, `the ${what} has changed, and is in effect`);
      else if (recovered) logger.info({ path, count }, `the ${what} can be used again: nothing has changed`);
    } catch (error) {
      const reason = (error as Error).message;
      if (reason === this.#trouble) return;
      this.#trouble = reason;
      logger.error({ path, reason }, `the ${what} cannot be used: what it held before stays in effect`);
    }
  }
}

/** How the file looks from outside: another text when it was changed. Undefined for what can be read only once. */
async function lookAt(path: string): Promise<string | undefined> {
  try {
    const file = await stat(path, { bigint: true });
    if (file.isFIFO() || file.isCharacterDevice() || file.isSocket()) return undefined;
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
