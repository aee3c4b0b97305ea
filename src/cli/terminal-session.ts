/**
 * The terminal of this process, taken for a while: the alternate screen, keys one by one, no cursor. It is given back
 * however the process ends or stops.
 */

import { keysOf, type Key } from '../terminal/keys.ts';

export interface SessionEvents {
  readonly onKey: (key: Key) => void;
  /** What it shows is not known any more: it has another size, or was given back for a while. */
  readonly onChange: () => void;
  /** A signal asks for the end, or the terminal is gone. */
  readonly onEnd: () => void;
}

/** Alternate screen, no cursor, no wrapped lines; each has an opposite. */
const TAKE = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const GIVE_BACK = '\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l';

export class TerminalSession {
  readonly #events: SessionEvents;
  #isTaken = false;

  constructor(events: SessionEvents) {
    this.#events = events;
  }

  open(): void {
    const { stdin, stdout } = process;
    const { onKey, onChange, onEnd } = this.#events;
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, onEnd);
    if (process.platform !== 'win32') {
      process.on('SIGTSTP', this.suspend);
      process.on('SIGCONT', this.#resume);
    }
    process.once('exit', this.#giveBack);
    process.once('uncaughtException', this.#fail);
    process.once('unhandledRejection', this.#fail);
    stdout.on('resize', onChange);
    stdout.on('error', onEnd);
    stdin.setEncoding('utf8');
    stdin.on('data', (text: string) => {
      for (const key of keysOf(text)) onKey(key);
    });
    // A terminal that is closed; a file that is no terminal ends, too, and says nothing.
    if (stdin.isTTY) stdin.on('end', onEnd);
    stdin.on('error', onEnd);
    this.#take();
  }

  close(): void {
    this.#giveBack();
    process.stdin.pause();
  }

  /** Gives the terminal back, and stops the process as Ctrl-Z does, until it goes on. */
  readonly suspend = (): void => {
    this.#giveBack();
    process.off('SIGTSTP', this.suspend);
    process.kill(0, 'SIGTSTP');
    // It goes on here, at once if nobody could make it go on.
    setTimeout(this.#resume, 50);
  };

  readonly #resume = (): void => {
    process.off('SIGTSTP', this.suspend);
    process.on('SIGTSTP', this.suspend);
    this.#giveBack();
    this.#take();
    this.#events.onChange();
  };

  readonly #giveBack = (): void => {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    process.stdout.write(GIVE_BACK);
  };

  readonly #fail = (error: unknown): void => {
    this.#giveBack();
    process.stderr.write(
      `gsls: ${String((error as Error | undefined)?.message ?? error).replaceAll(/[\s\p{Cc}]+/gu, ' ')}\n`,
    );
    process.exit(1);
  };

  #take(): void {
    this.#isTaken = true;
    if (process.stdin.isTTY) process.stdin.setRawMode(true);
    process.stdin.resume();
    process.stdout.write(TAKE);
  }
}
