/**
 * The file under one name. Changes are appended to it, and now and then a new file, written beside it, replaces it. The
 * file with this name is thus whole at any moment, except for a last line that is just being written.
 */

import { rename, rm, stat } from 'node:fs/promises';
import type { GameServerId } from '../../model/game-server.ts';
import type { Change } from '../memory/journal.ts';
import { ChangeFile } from './change-file.ts';
import { keepLast } from './change-lines.ts';
import { keepAside, type Disturbance } from './disturbance.ts';
import type { FileLock } from './file-lock.ts';

/** GSLS gets this access to the file whatever its mode was: the directory decides whether GSLS may write. */
const OWN_ACCESS = 0o600;

/** Others never get access: the file holds the secret of the server tokens, and addresses. A group may make backups. */
const OTHERS_ACCESS = 0o007;

/** Called when another program has changed the file in use. `keptAs` names the file found in its place, if any. */
export type OnDisturbed = (what: Disturbance, keptAs: string | undefined) => void;

type Changes = Map<GameServerId, Change>;

export class ReplaceableFile {
  readonly #lock: FileLock;
  readonly #onDisturbed: OnDisturbed | undefined;
  /** The file that had the name last; undefined until the first one is written. */
  #file: ChangeFile | undefined;
  /** The changes that are not written yet. */
  #pending: Changes = new Map();
  /** While the file is being replaced: the changes written since replace() received the content of the new one. */
  #sinceContent: Changes | undefined;
  /** Resolves when the last task that uses the file is done. */
  #lastTask: Promise<unknown> = Promise.resolve();

  constructor(lock: FileLock, onDisturbed?: OnDisturbed) {
    this.#lock = lock;
    this.#onDisturbed = onDisturbed;
  }

  /** Whether all written changes are in the file. If not, only replace() helps. */
  get isComplete(): boolean {
    return this.#file?.isComplete ?? false;
  }

  /** Whether changes were appended since the file was new. */
  get hasGrown(): boolean {
    return this.#file?.hasGrown ?? false;
  }

  /** Whether the file should be replaced because of its size. */
  get isLarge(): boolean {
    return this.#file?.isLarge ?? false;
  }

  /** Queues a change, which the next write() appends. */
  add(change: Change): void {
    keepLast(this.#pending, change);
  }

  /** Appends the queued changes. Rejects if it cannot: the file is not complete then. */
  write(): Promise<void> {
    return this.#alone(async () => {
      const changes = this.#pending;
      this.#pending = new Map();
      if (this.#sinceContent !== undefined)
        for (const change of changes.values()) keepLast(this.#sinceContent, change);
      await this.#file?.append(changes.values());
    });
  }

  /** Finds out whether another program disturbed the file. */
  findDisturbance(): Promise<Disturbance | undefined> {
    return this.#alone(async () => this.#file?.findDisturbance(this.#lock.path));
  }

  /**
   * Replaces the file by one with this content, which must be that of the moment of the call. write() appends to the
   * old file until the new one has caught up and takes its name. Only one call may run at a time. Rejects, with a
   * message for people, if there is no new file: the old one is then as it was.
   */
  async replace(content: Iterable<Change>): Promise<void> {
    this.#sinceContent = new Map();
    try {
      await this.#replace(content, this.#sinceContent);
    } finally {
      this.#sinceContent = undefined;
    }
  }

  /** Closes the file. Never rejects. */
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
        // If the directory was deleted, so was the lock: another process may hold its own by now.
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

  /** Runs the task once all earlier tasks that use the file are done. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#lastTask.then(task);
    this.#lastTask = done.catch(() => undefined);
    return done;
  }
}
