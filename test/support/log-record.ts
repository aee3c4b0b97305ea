/**
 * The lines that a service has logged, for tests that wait for one of them. It is the logger of a service in this
 * process, or is given the lines of another process; it knows no process itself.
 */

import type { Logger } from '../../src/runtime/log/logger.ts';

/** A line of the log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly url?: string;
  readonly browseUrl?: string;
  readonly opsUrl?: string;
  readonly registerUrl?: string;
  readonly delayMs?: number;
  readonly redis?: string;
  readonly reason?: string;
  readonly outageMs?: number;
  readonly origin?: string;
  readonly count?: number;
}

export class LogRecord {
  readonly lines: LogLine[] = [];
  /** For a service in this process. */
  readonly logger: Logger = {
    debug: (fields, msg) => this.push({ ...fields, level: 20, msg }),
    info: (fields, msg) => this.push({ ...fields, level: 30, msg }),
    warn: (fields, msg) => this.push({ ...fields, level: 40, msg }),
    error: (fields, msg) => this.push({ ...fields, level: 50, msg }),
  };
  readonly #waiting = new Set<() => void>();
  /** What was printed by the process that has ended. */
  #ended: string | undefined;

  push(line: LogLine): void {
    this.lines.push(line);
    for (const look of this.#waiting) look();
  }

  /** No more lines will come; `printed` is for the errors of those who wait. */
  end(printed: string): void {
    this.#ended = printed;
    for (const look of this.#waiting) look();
  }

  /** Resolves with the first line whose message begins so, also if it has passed; rejects when the log ends without. */
  logged(beginning: string): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const line = this.lines.find(({ msg }) => msg.startsWith(beginning));
        if (line === undefined && this.#ended === undefined) return;
        this.#waiting.delete(look);
        if (line !== undefined) resolve(line);
        else reject(new Error(`ended without logging "${beginning}": ${this.#ended}`));
      };
      this.#waiting.add(look);
      look();
    });
  }
}
