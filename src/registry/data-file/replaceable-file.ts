/**
 * The file under one name, which is appended to and now and then replaced by a new one, written beside it. So what has
 * the name is whole at any moment, but for a last line that is just being written.
 */

import { rename, rm, stat } from 'node:fs/promises';
import type { GameServerId } from '../../model/game-server.ts';
import type { Change } from '../memory/journal.ts';
import { ChangeFile } from './change-file.ts';
import { keepLast } from './change-lines.ts';
import { keepAside, type Disturbance } from './disturbance.ts';
import type { FileLock } from './file-lock.ts';

/** To the file, whatever its mode was: whether GSLS may write is up to the directory. */
const OWN_ACCESS = 0o600;

/** The file holds the secret of the server tokens, and addresses of clients. A group may be let in to make backups. */
const OTHERS_ACCESS = 0o007;

/** Another program changed the file while it was in use. What was found under its name, if anything, is in `keptAs`. */
export type OnDisturbed = (what: Disturbance, keptAs: string | undefined) => void;

type Changes = Map<GameServerId, Change>;

export class ReplaceableFile {
  readonly #lock: FileLock;
  readonly #onDisturbed: OnDisturbed | undefined;
  /** The file that had the name last; undefined until the first one is written. */
  #file: ChangeFile | undefined;
  /** Not written yet. */
  #pending: Changes = new Map();
  /** While the file is replaced: what was written since the content of the new one was taken. */
  #sinceContent: Changes | undefined;
  /** Settles when the last task that uses the file is done. */
  #lastTask: Promise<unknown> = Promise.resolve();

  constructor(lock: FileLock, onDisturbed?: OnDisturbed) {
    this.#lock = lock;
    this.#onDisturbed = onDisturbed;
  }

  /** Whether all changes that were written are in the file. If not, only replacing it helps. */
  get isComplete(): boolean {
    return this.#file?.isComplete ?? false;
  }

  /** Whether changes were appended since the file was new. */
  get hasGrown(): boolean {
    return this.#file?.hasGrown ?? false;
  }

  /** Whether it is time to replace the file because of its size. */
  get isLarge(): boolean {
    return this.#file?.isLarge ?? false;
  }

  /** Takes a change, which the next write() appends. */
  add(change: Change): void {
    keepLast(this.#pending, change);
  }

  /** Appends what was added. Rejects when it cannot: the file is not complete then. */
  write(): Promise<void> {
    return this.#alone(async () => {
      const changes = this.#pending;
      this.#pending = new Map();
      if (this.#sinceContent !== undefined)
        for (const change of changes.values()) keepLast(this.#sinceContent, change);
      await this.#file?.append(changes.values());
    });
  }

  /** What another program did to the file, if anything. */
  findDisturbance(): Promise<Disturbance | undefined> {
    return this.#alone(async () => this.#file?.findDisturbance(this.#lock.path));
  }

  /**
   * Replaces the file by one with this content, which must be that of the moment of the call. Changes go on into the
   * old file until the new one has caught up and takes its name. One call at a time. Rejects, with a message for
   * people, when there is no new file: what has the name is as it was.
   */
  async replace(content: Iterable<Change>): Promise<void> {
    this.#sinceContent = new Map();
    try {
      await this.#replace(content, this.#sinceContent);
    } finally {
      this.#sinceContent = undefined;
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #replace(content: Iterable<Change>, sinceContent: Changes): Promise<void> {
    const { path } = this.#lock;
    const newPath = `${path}.new`;
    const mode = await stat(path).then(
      (found) => found.mode,
      () => this.#file?.mode ?? OWN_ACCESS,
    );
    const file = await ChangeFile.create(newPath, (mode | OWN_ACCESS) & ~OTHERS_ACCESS, content);
    try {
      await this.#alone(async () => {
        const disturbance = await this.#file?.findDisturbance(path);
        // With the directory the lock may be gone, and another process may have taken its own.
        if (disturbance !== undefined) await this.#lock.take();
        const isThere = disturbance === 'replaced' || disturbance === 'changed';
        const keptAs = isThere ? await keepAside(path) : undefined;
        await file.append(sinceContent.values());
        await this.#file?.close();
        await rename(newPath, path);
        this.#file = file;
        if (disturbance !== undefined) this.#onDisturbed?.(disturbance, keptAs);
      });
    } catch (error) {
      await file.close();
      await rm(newPath, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Runs the tasks that use the file one after the other. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#lastTask.then(task);
    this.#lastTask = done.catch(() => undefined);
    return done;
  }
}
