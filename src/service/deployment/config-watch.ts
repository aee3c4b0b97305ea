/**
 * Reads the configuration again while the service runs: when one of its files has changed, and when the operator asks.
 * A configuration that cannot be used changes nothing.
 */

import { stat } from 'node:fs/promises';
import type { Deployment } from './deployment.ts';
import type { ReadFiles } from './read-files.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { systemClock, type Clock } from '../../registry/registry.ts';
import type { ConfigChange } from './change-of.ts';

/** How the configuration of a running service is read again. */
export interface Rereading<Loaded = Deployment> {
  readonly files: Pick<ReadFiles, 'paths' | 'renew'>;
  /** Reads it all, from these files among others. Rejects with a UsageError. */
  readonly load: () => Promise<Loaded>;
}

export interface ConfigWatchOptions<Loaded> extends Rereading<Loaded> {
  /** Puts the configuration into effect. */
  readonly apply: (loaded: Loaded) => Promise<Pick<ConfigChange, 'words' | 'atRestart'>>;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'every'>;
}

/**
 * How often the files are looked at, in ms. Events of the file system would be faster, but they miss files that are
 * replaced, links that change their target, and all that happens on network drives.
 */
export const LOOK_INTERVAL_MS = 1000;

export class ConfigWatch<Loaded> {
  readonly #options: ConfigWatchOptions<Loaded>;
  readonly #stop: () => void;
  /** How each file looked when it was looked at last, and when it was read last. */
  readonly #seen = new Map<string, string>();
  readonly #read = new Map<string, string>();
  /** Why the configuration cannot be used, as it was logged; undefined while it can. */
  #trouble: string | undefined;
  /** Settles when the last look or reload is done. Undefined when none runs. */
  #running: Promise<void> | undefined;

  constructor(options: ConfigWatchOptions<Loaded>) {
    this.#options = options;
    this.#stop = (options.clock ?? systemClock).every(LOOK_INTERVAL_MS, async () => {
      // A file system that hangs is asked once.
      if (this.#running === undefined) await this.#run(() => this.#look());
    });
  }

  close(): void {
    this.#stop();
  }

  /** Reads the files at once and logs what came of it. Never rejects. */
  async reload(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    await this.#run(async () => {
      const { files, logger } = this.#options;
      if (files.paths.length === 0)
        return logger.info({}, 'there is no file of keys or options that could be read again');
      for (const path of files.paths) {
        if ((await lookAt(path)) !== undefined) await files.renew(path);
        else logger.warn({ path }, `${path} is a pipe or a device, which is read at the start only`);
      }
      this.#trouble = undefined;
      await this.#readAgain(true);
    });
  }

  async #run(task: () => Promise<void>): Promise<void> {
    this.#running = task().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /**
   * A change counts when the file looks the same twice: editors and copies write a file in pieces, and two writes may
   * be closer together than the clock of the file system can tell. While something is wrong, all files are read at each
   * look: how a file looks does not tell all.
   */
  async #look(): Promise<void> {
    const { files } = this.#options;
    let hasChanged = false;
    for (const path of files.paths) {
      const seen = await lookAt(path);
      const isSettled = seen === this.#seen.get(path);
      if (seen === undefined) continue;
      this.#seen.set(path, seen);
      if (!isSettled || (seen === this.#read.get(path) && this.#trouble === undefined)) continue;
      this.#read.set(path, seen);
      if (await files.renew(path)) hasChanged = true;
    }
    if (hasChanged) await this.#readAgain();
  }

  async #readAgain(isAskedFor = false): Promise<void> {
    const { load, apply, logger } = this.#options;
    try {
      const { words, atRestart } = await apply(await load());
      const recovered = this.#trouble !== undefined;
      this.#trouble = undefined;
      if (words.length > 0)
        logger.info({ changed: words }, 'the configuration has changed, and is in effect');
      else if (recovered) logger.info({}, 'the configuration can be used again: nothing has changed');
      else if (isAskedFor && atRestart.length === 0)
        logger.info({}, 'the configuration was read again: nothing has changed');
      if (atRestart.length > 0)
        logger.warn(
          { options: atRestart },
          'some of what has changed in the configuration takes effect at a restart only',
        );
    } catch (error) {
      const reason = (error as Error).message;
      if (reason === this.#trouble) return;
      this.#trouble = reason;
      logger.error(
        { reason, ...(error instanceof UsageError ? {} : { err: error }) },
        'the configuration cannot be used: what it held before stays in effect',
      );
    }
  }
}

/** How the file looks from outside: another text when it was changed. Undefined for what can be read only once. */
export async function lookAt(path: string): Promise<string | undefined> {
  try {
    const file = await stat(path, { bigint: true });
    if (file.isFIFO() || file.isCharacterDevice() || file.isSocket()) return undefined;
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
