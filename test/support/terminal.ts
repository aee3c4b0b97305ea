/** A command in a real terminal, by tmux: what a person sees there, the keys that are pressed, and how it ends. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from './children-of.ts';
import { PROGRAM, ROOT } from './program.ts';
import { until } from './until.ts';

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gsls-terminal-'));
  readonly #exitFile = join(this.#folder, 'code');

  /** The words are those behind `gsls`. */
  constructor(args: readonly string[], { columns = 100, rows = 24, environment = {} }: TerminalOptions = {}) {
    const script = [process.execPath, ...PROGRAM, ...args].map(quoted).join(' ');
    const size = ['-x', String(columns), '-y', String(rows)];
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, 'sh');
    this.#tmux('set', '-g', 'remain-on-exit', 'on');
    this.#tmux(
      'respawn-pane',
      '-k',
      '-c',
      ROOT,
      [
        'env',
        '-u',
        'GSLS_KEY',
        ...variables,
        'sh',
        '-c',
        quoted(`trap : INT; ${script}; echo $? > ${this.#exitFile}`),
      ].join(' '),
    );
    process.once('exit', this.close);
  }

  /** The lines that are seen, without what is blank at their ends. */
  get lines(): readonly string[] {
    return this.#tmux('capture-pane', '-p').replace(/\n+$/, '').split('\n');
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** All that a program has printed that has ended, with what has scrolled out of sight. */
  get printed(): readonly string[] {
    const lines = this.#tmux('capture-pane', '-p', '-S', '-').replace(/\n*(Pane is dead.*)?\n+$/, '');
    return lines.split('\n');
  }

  /** What is seen, with the escape sequences of styles. */
  get styled(): string {
    return this.#tmux('capture-pane', '-p', '-e', '-S', '-');
  }

  /** Undefined while it runs. */
  get exitCode(): number | undefined {
    const text = existsSync(this.#exitFile) ? readFileSync(this.#exitFile, 'utf8').trim() : '';
    return text === '' ? undefined : Number(text);
  }

  /** Of the command in it. */
  get pid(): number {
    return childrenOf(Number(this.#tmux('display', '-p', '#{pane_pid}')))[0]!;
  }

  /** By the names of tmux: a letter, or `Enter`, `C-c`, `Down`. */
  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  /** Resolves once the pattern is seen. */
  async sees(pattern: RegExp, limitMs = 20_000): Promise<void> {
    const endsAt = performance.now() + limitMs;
    await until(() => {
      const isSeen = pattern.test(this.text);
      if (!isSeen && performance.now() > endsAt) throw new Error(`${pattern} is not seen:\n${this.text}`);
      return isSeen;
    });
  }

  /** Resolves with its exit code. */
  async ended(limitMs = 20_000): Promise<number> {
    const endsAt = performance.now() + limitMs;
    await until(() => {
      if (performance.now() > endsAt) throw new Error(`it does not end:\n${this.text}`);
      return this.exitCode !== undefined;
    });
    return this.exitCode!;
  }

  readonly close = (): void => {
    process.off('exit', this.close);
    try {
      this.#tmux('kill-server');
    } catch {
      // It is closed.
    }
    rmSync(this.#folder, { recursive: true, force: true });
  };

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-u', '-L', 'gsls', ...args], {
      encoding: 'utf8',
      env: {
        TMUX_TMPDIR: this.#folder,
        PATH: process.env['PATH'],
        LC_ALL: 'C.UTF-8',
        TERM: 'xterm-256color',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }
}

/** As a word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
