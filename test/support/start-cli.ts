/** The program as a user starts it: a process of its own with flags, variables, output and an exit code. */

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LogRecord, type LogLine } from './log-record.ts';
import { BUILT_PROGRAM, PROGRAM, ROOT, UNCOVERED } from './program.ts';

export interface CliExit {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cli {
  readonly exited: Promise<CliExit>;
  /** What it has logged so far. */
  readonly log: readonly LogLine[];
  /**
   * Resolves with the first line whose message begins so, also if it has passed; rejects when the process ends without.
   */
  logged(beginning: string): Promise<LogLine>;
  kill(signal: NodeJS.Signals): void;
  readonly pid: number;
  /** What it has printed there so far. */
  stderrSoFar(): string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface CliProcess {
  /** A descriptor that standard output is to be; else it is read here. */
  readonly stdout?: number;
  /** Flags of Node itself. */
  readonly nodeArgs?: readonly string[];
  /**
   * Puts it on a terminal, of which all is copied to `stdout` as fast as that takes it. Needs script, of util-linux.
   */
  readonly onTerminal?: boolean;
  /** Whether coverage counts what it runs, where it is measured. */
  readonly isCovered?: boolean;
}

/** Variables of the machine that begin with GSLS_ stay outside. */
export function startCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { stdout: output, nodeArgs = [], onTerminal = false, isCovered = true }: CliProcess = {},
): Cli {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GSLS_'));
  const direct = [process.execPath, ...nodeArgs, ...(isCovered ? PROGRAM : BUILT_PROGRAM), ...args] as const;
  const [program, ...rest] = onTerminal
    ? (['script', '--quiet', '--command', direct.map((word) => `'${word}'`).join(' '), '/dev/null'] as const)
    : direct;
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), ...(isCovered ? {} : UNCOVERED), ...environment },
    stdio: ['ignore', output ?? 'pipe', 'pipe'],
  });
  running.add(child);

  let stdout = '';
  let stderr = '';
  const log = new LogRecord();
  child.stderr!.on('data', (part: Buffer) => (stderr += part.toString()));
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      stdout += `${line}\n`;
      if (line.startsWith('{')) log.push(JSON.parse(line) as LogLine);
    });
  const exited = new Promise<CliExit>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      log.end(stdout + stderr);
      resolve({ code, stdout, stderr });
    });
  });

  return {
    pid: child.pid!,
    stderrSoFar: () => stderr,
    exited,
    log: log.lines,
    logged: (beginning) => log.logged(beginning),
    kill: (signal) => void child.kill(signal),
  };
}

/** For what ends by itself. */
export function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliExit> {
  return startCli(args, environment).exited;
}

export interface ListeningCli extends Cli {
  readonly url: string;
  /** Ends the process, whatever state it is in. */
  stop(): Promise<void>;
}

/** A replica on a free port of 127.0.0.1, listening. */
export async function startListeningCli(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  isCovered = true,
): Promise<ListeningCli> {
  const cli = startCli(['--port', '0', '--host', '127.0.0.1', ...args], environment, { isCovered });
  const { url } = await cli.logged('listening on');
  return {
    ...cli,
    url: url!,
    async stop() {
      cli.kill('SIGKILL');
      await cli.exited;
    },
  };
}
