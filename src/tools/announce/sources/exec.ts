/**
 * A program that says what the game server is: it prints the JSON of parse-state.ts, and ends. It is started for each
 * read, without a shell, with nothing to read; how long it runs and how much it prints is bounded. On Windows a .cmd or
 * .bat file is no program: name what it starts.
 */

import { isUtf8 } from 'node:buffer';
import { spawn, type ChildProcess } from 'node:child_process';
import type { Reading, Source } from './game-state.ts';
import { MOST_STATE_BYTES, parseState } from './parse-state.ts';
import { printableLine } from './printable-line.ts';
import { createSource, sourceClock, type SourceClock, type SourceLimits } from './source.ts';

export interface ExecOptions extends SourceLimits {
  /**
   * The variables of the program. Keys and tokens of a service do not belong here. Defaults to those of this process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;

/** The most bytes that are kept of its standard error, of which one line is shown. */
const MOST_STDERR_BYTES = 4096;

/** How a program ended, with what it has printed. */
type Ending =
  | { readonly is: 'ended'; readonly code: number | null; readonly signal: string | null }
  | { readonly is: 'not started'; readonly error: NodeJS.ErrnoException }
  | { readonly is: 'too long' }
  | { readonly is: 'too much' };

/** `command`: the program and its arguments. */
export function createExec(command: readonly string[], options: ExecOptions): Source {
  const { timeoutMs, clock = sourceClock, env } = options;
  const [program = '', ...args] = command;
  const running = new Set<ChildProcess>();

  const source = createSource({ timeoutMs, clock }, async (over) => {
    let child: ChildProcess;
    try {
      child = spawn(program, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        ...(env && { env }),
      });
    } catch (error) {
      return notStarted(program, error as NodeJS.ErrnoException);
    }
    running.add(child);
    child.once('close', () => running.delete(child));
    child.once('error', () => running.delete(child));
    const said = { out: [] as Buffer[], outBytes: 0, err: '' };
    const ending = await run(child, said, over);
    if (ending.is !== 'ended') end(child, clock);
    if (ending.is === 'not started') return notStarted(program, ending.error);
    if (ending.is === 'too long')
      return { is: 'unusable', why: `${program} did not end within ${timeoutMs / 1000} s` };
    if (ending.is === 'too much') return { is: 'unusable', why: `${program} prints more than 64 KiB` };
    if (ending.code !== 0) {
      const how = ending.signal === null ? `with exit code ${ending.code}` : `by ${ending.signal}`;
      const why = printableLine(said.err);
      return { is: 'unusable', why: `${program} ended ${how}${why && `: ${why}`}` };
    }
    const out = Buffer.concat(said.out);
    if (!isUtf8(out)) return { is: 'unusable', why: `${program} prints what is not UTF-8` };
    const parsed = parseState(out.toString('utf8'));
    return parsed.is === 'told' ? parsed : { is: 'unusable', why: `${program} ${parsed.why}` };
  });
  return {
    read: (signal) => source.read(signal),
    close() {
      source.close();
      for (const each of running) each.kill('SIGKILL');
    },
  };
}

function run(
  child: ChildProcess,
  said: { readonly out: Buffer[]; outBytes: number; err: string },
  over: AbortSignal,
): Promise<Ending> {
  return new Promise((resolve) => {
    const stop = (): void => resolve({ is: 'too long' });
    over.addEventListener('abort', stop, { once: true });
    child.once('error', (error) => resolve({ is: 'not started', error }));
    child.stdout!.on('data', (bytes: Buffer) => {
      said.outBytes += bytes.length;
      if (said.outBytes > MOST_STATE_BYTES) resolve({ is: 'too much' });
      else said.out.push(bytes);
    });
    child.stderr!.on('data', (bytes: Buffer) => {
      if (said.err.length < MOST_STDERR_BYTES) said.err += bytes.toString('utf8', 0, MOST_STDERR_BYTES);
    });
    // The event is not `exit`: output may come after that.
    child.once('close', (code, signal) => resolve({ is: 'ended', code, signal }));
  });
}

/** Ends the program and reads no more of it. One that does not heed SIGTERM is killed. */
function end(child: ChildProcess, clock: SourceClock): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const stopTimer = clock.after(GRACE_MS, () => child.kill('SIGKILL'));
  child.once('exit', stopTimer);
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): Reading {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such program',
    EACCES: 'this user may not run it',
    EINVAL: 'it is no program; a .cmd or .bat file is none either',
  };
  return {
    is: 'unusable',
    why: `${program} cannot be started: ${reasons[code ?? ''] ?? printableLine(message)}`,
  };
}
