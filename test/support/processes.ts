/** Replicas, HAProxy and others as processes of their own, ended with the tests. */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, UNCOVERED } from './program.ts';
import { until } from './until.ts';

const running = new Set<RunningProcess>();

export interface RunningProcess {
  readonly pid: number;
  /** The lines it has printed so far. */
  readonly lines: readonly string[];
  readonly ended: boolean;
  /** Sends the signal, such as SIGSTOP, and leaves it at that. */
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and waits for the end. Resolves with the exit code, null after SIGKILL. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** A replica with these variables, as it is deployed: the built program of the folder. Resolves once it listens. */
export async function startReplica(
  environment: Readonly<Record<string, string>>,
  folder = ROOT,
): Promise<RunningProcess> {
  const variables = { ...UNCOVERED, ...environment };
  const replica = startProgram(process.execPath, [join(folder, 'dist/cli.js')], variables);
  await until(() => replica.lines.some((line) => line.includes('listening on')), replica);
  return replica;
}

const HAPROXY_CONFIGURATION = ['-f', 'deploy/haproxy.cfg'];

/** HAProxy with the configuration we ship. */
export function startHaproxy(environment: Readonly<Record<string, string>>): RunningProcess {
  return startProgram('haproxy', ['-db', ...HAPROXY_CONFIGURATION], environment);
}

/** What HAProxy says of the configuration we ship, without starting. */
export function checkHaproxy(environment: Readonly<Record<string, string>>): string {
  const { stdout, stderr } = spawnSync('haproxy', ['-c', ...HAPROXY_CONFIGURATION], {
    cwd: ROOT,
    env: environmentWith(environment),
    encoding: 'utf8',
  });
  return stderr + stdout;
}

/** Ends whatever was started here and still runs. */
export async function endProcesses(): Promise<void> {
  await Promise.all([...running].map((each) => each.stop('SIGKILL')));
}

function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], ...more };
}

/** A program of the machine with these variables and its PATH, in this folder. */
export function startProgram(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = ROOT,
): RunningProcess {
  const child: ChildProcess = spawn(command, args, {
    cwd: folder,
    env: environmentWith(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    createInterface(stream).on('line', (line) => lines.push(line));
  let ended = false;
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      ended = true;
      running.delete(started);
      process.off('exit', endWithUs);
      resolve(code);
    });
  });
  const started: RunningProcess = {
    pid: child.pid!,
    lines,
    get ended() {
      return ended;
    },
    signal: (signal) => void child.kill(signal),
    stop(signal) {
      child.kill(signal);
      return exited;
    },
  };
  running.add(started);
  return started;
}
