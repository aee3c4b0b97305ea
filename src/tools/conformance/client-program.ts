/** The program around a client: a process that reads and writes lines of JSON. */

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isRecord, parseJson } from '../../model/json.ts';

/** A line that the program wrote: an object, or anything else. */
export type SaidLine = { readonly said: Readonly<Record<string, unknown>> } | { readonly noise: string };

export interface ClientProgramListener {
  readonly onLine: (line: SaidLine) => void;
  /** `how`: how the program ended, in words. */
  readonly onEnd: (how: string) => void;
}

/** The most characters that are kept of its standard error, for people. */
const MOST_COMPLAINTS = 20_000;
/** The time between the end of its input and the signal that ends it. */
const GRACE_MS = 1000;

export class ClientProgram {
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #complaints = '';

  /** `command`: a program and its arguments. */
  constructor(command: readonly string[], { onLine, onEnd }: ClientProgramListener) {
    const [file, ...args] = command as [string, ...string[]];
    this.#process = spawn(file, args, { stdio: 'pipe' });
    const { stdin, stdout, stderr } = this.#process;
    // The program may have ended, which is reported below.
    stdin!.on('error', () => undefined);
    createInterface({ input: stdout!, crlfDelay: Infinity }).on('line', (line) => onLine(parseLine(line)));
    stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-MOST_COMPLAINTS);
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once('error', ({ code, message }: NodeJS.ErrnoException) => {
        onEnd(`it cannot be started: ${code ?? message}`);
        resolve();
      });
      this.#process.once('close', (code, signal) => {
        onEnd(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`);
        resolve();
      });
    });
  }

  /** The last characters of its standard error. */
  get complaints(): string {
    return this.#complaints;
  }

  tell(line: object): void {
    this.#process.stdin!.write(`${JSON.stringify(line)}\n`);
  }

  /** Sends SIGTERM. */
  terminate(): void {
    this.#process.kill('SIGTERM');
  }

  /** Whether it is gone after this time at the latest, on the wall clock. */
  async isGoneWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const isGone = await Promise.race([this.#ended.then(() => true), isLate]);
    clearTimeout(timer);
    return isGone;
  }

  /** Ends it. Resolves once it is gone. */
  async end(): Promise<void> {
    this.#process.stdin!.end();
    const timer = setTimeout(() => {
      const { stdout, stderr } = this.#process;
      this.#process.kill('SIGKILL');
      // A program that it has started, as under npm, may hold the pipes: they would never end.
      stdout!.destroy();
      stderr!.destroy();
    }, GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
  }
}

function parseLine(line: string): SaidLine {
  const said = parseJson(line);
  return isRecord(said) ? { said } : { noise: line };
}
