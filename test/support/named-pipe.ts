/** A named pipe that is read when a test wants to. Needs mkfifo; knows nothing of who writes. */

import { closeSync, constants, openSync, readSync } from 'node:fs';
import { makePipe } from './make-pipe.ts';

export class NamedPipe {
  readonly path: string;
  #text = '';
  #descriptor: number;
  readonly #buffer = Buffer.alloc(65_536);

  constructor(path: string) {
    makePipe(path);
    this.path = path;
    this.#descriptor = this.#open();
  }

  /** What was read so far, with what there is to read now. */
  read(): string {
    for (;;) {
      const count = this.#readSome();
      if (count === 0) return this.#text;
      this.#text += this.#buffer.toString('latin1', 0, count);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  reopen(): void {
    this.#descriptor = this.#open();
  }

  #open(): number {
    return openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
  }

  #readSome(): number {
    try {
      return readSync(this.#descriptor, this.#buffer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      throw error;
    }
  }
}
