/** The token of one game server at one service, and its file, if it has one: the log tells what goes wrong with it. */

import type { ListingLog } from './listing-log.ts';
import type { TokenFile } from './token-file.ts';

export class KeptToken {
  readonly #file: TokenFile | undefined;
  readonly #log: ListingLog;
  readonly #first: string | undefined;
  #isInFile: boolean;

  constructor(file: TokenFile | undefined, log: ListingLog) {
    this.#file = file;
    this.#log = log;
    const { token, problem } = file?.read() ?? {};
    this.#first = token;
    this.#isInFile = token !== undefined;
    log.noteToken(problem);
  }

  /** The token of an earlier start. */
  get first(): string | undefined {
    return this.#first;
  }

  /** Whether the next start finds the present token. */
  get isInFile(): boolean {
    return this.#isInFile;
  }

  /** Keeps the token; undefined: the service refuses the one that there is. */
  replace(token: string | undefined): void {
    // The file keeps an old token until there is a new one: another service may accept it.
    if (token === undefined) {
      this.#isInFile = false;
      this.#log.noteRefusedToken(this.#file?.path);
    } else {
      const problem = this.#file?.write(token);
      this.#isInFile = this.#file !== undefined && problem === undefined;
      this.#log.noteToken(problem);
    }
  }
}
