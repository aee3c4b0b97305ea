/** The files that a configuration was read from, and what they held. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ReadFile } from '../config/option-files.ts';

export class ReadFiles {
  /** What each file holds, or why it cannot be read. */
  readonly #contents = new Map<string, string | Error>();
  readonly #readNow: ReadFile;

  constructor(readNow: ReadFile = (path) => readFileSync(path, 'utf8')) {
    this.#readNow = readNow;
  }

  get paths(): readonly string[] {
    return [...this.#contents.keys()];
  }

  /** Reads a file once: a pipe has no second content, and a thousand registries may share a file. */
  readonly read: ReadFile = (path) => {
    let content = this.#contents.get(path);
    if (content === undefined) {
      try {
        content = this.#readNow(path);
      } catch (error) {
        content = error as Error;
      }
      this.#contents.set(path, content);
    }
    if (content instanceof Error) throw content;
    return content;
  };

  /** Reads the file again, and resolves with whether it holds something else. Never rejects. */
  async renew(path: string): Promise<boolean> {
    const before = this.#contents.get(path);
    const content = await readFile(path, 'utf8').catch((error: Error) => error);
    this.#contents.set(path, content);
    return String(content) !== String(before) || typeof content !== typeof before;
  }
}
