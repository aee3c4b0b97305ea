/** A program of examples/ as a process: how it is run, what it says, and how it ends. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

export const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** The program and its first arguments; the URL and the token file follow. */
export type Command = readonly [string, ...string[]];

export class GameProcess {
  readonly #process: ChildProcess;
  /** All that it has printed. */
  log = '';

  constructor([program, ...first]: Command, args: readonly string[]) {
    this.#process = spawn(program, [...first, ...args], { cwd: EXAMPLES, stdio: 'pipe' });
    for (const stream of [this.#process.stdout!, this.#process.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.log += text));
  }

  /** Resolves once it has said so. */
  async says(what: RegExp): Promise<void> {
    await until(() => {
      if (!what.test(this.log) && this.#isOver) throw new Error(`it ended: ${this.log}`);
      return what.test(this.log);
    });
  }

  /** Ends it as its players or a service manager do: with `stop`. Resolves with its exit code. */
  async end(stop: (game: ChildProcess) => void): Promise<number | null> {
    stop(this.#process);
    const [code] = (await once(this.#process, 'close')) as [number | null];
    return code;
  }

  closeInput(): void {
    this.#process.stdin!.end();
  }

  /** Resolves with its exit code, once it has ended by itself. */
  ended(): Promise<number | null> {
    return this.end(() => undefined);
  }

  /** Ends it without a remove. */
  async crash(): Promise<void> {
    if (!this.#isOver) await this.end((game) => game.kill('SIGKILL'));
  }

  get #isOver(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}

/** As a service manager ends a game server. */
export const terminate = (game: ChildProcess): void => void game.kill('SIGTERM');
