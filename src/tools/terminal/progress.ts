/** The present action of a command, in one line: written over the last one in a terminal, line by line elsewhere. */

import { cutToColumns } from './fit.ts';

/** The stream that a command writes to. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width, where it is a terminal. */
  readonly columns?: number;
}

export interface ProgressOptions {
  readonly output: Output;
  /** Returns the time in ms. */
  readonly now: () => number;
  /** Whether a line may be written over: not in a terminal that knows no escape sequence. */
  readonly canRewrite: boolean;
}

const USUAL_COLUMNS = 80;
const REWRITTEN_EVERY_MS = 100;
const WRITTEN_EVERY_MS = 2000;

export class Progress {
  readonly #options: ProgressOptions;
  #shown = '';
  #shownAt = -Infinity;
  /** The cursor stands behind a line that may be written over. */
  #isOpen = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Shows the text; it may be left out if it comes soon after another. */
  tell(text: () => string): void {
    const { now, canRewrite } = this.#options;
    if (now() - this.#shownAt < (canRewrite ? REWRITTEN_EVERY_MS : WRITTEN_EVERY_MS)) return;
    this.say(text());
  }

  /** Shows the text unless it is the same as the last one. */
  say(text: string): void {
    const { output, now, canRewrite } = this.#options;
    this.#shownAt = now();
    if (text === this.#shown) return;
    this.#shown = text;
    if (!canRewrite) return void output.write(`${text}\n`);
    output.write(`\r${cutToColumns(text, (output.columns ?? USUAL_COLUMNS) - 1)}\u001b[K`);
    this.#isOpen = true;
  }

  /** The line stays, and the next one comes below it. */
  end(): void {
    if (this.#isOpen) this.#options.output.write('\n');
    this.#isOpen = false;
    this.#shown = '';
  }
}
