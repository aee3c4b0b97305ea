/** Replicas and HAProxy as processes of their own, ended with the tests. */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const POLL_INTERVAL_MS = 10;
const running = new Set<RunningProcess>();

/** Whether there is a haproxy on this machine. Where CI is set there has to be. */
export function hasHaproxy(): boolean {
  const found = spawnSync('haproxy', ['-v']).status === 0;
  if (!found && process.env['CI'])
    throw new Error('haproxy is missing: install it, CI tests on the real thing');
  return found;
}

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

/** One of ours, from the sources. Resolves once it listens. */
export function startReplica(environment: Readonly<Record<string, string>>): Promise<RunningProcess> {
  return startListening(['--import', 'tsx', 'src/cli.ts'], environment);
}

/** One of ours as it is deployed, after `npm run build` in the folder. Resolves once it listens. */
export function startBuiltReplica(
  environment: Readonly<Record<string, string>>,
  folder = ROOT,
): Promise<RunningProcess> {
  return startListening([join(folder, 'dist/cli.js')], environment);
}

async function startListening(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const replica = start(process.execPath, args, environment);
  await until(() => replica.lines.some((line) => line.includes('listening on')), replica);
  return replica;
}

const HAPROXY_CONFIGURATION = ['-f', 'deploy/haproxy.cfg'];

/** HAProxy with the configuration we ship. */
export function startHaproxy(environment: Readonly<Record<string, string>>): RunningProcess {
  return start('haproxy', ['-db', ...HAPROXY_CONFIGURATION], environment);
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

/** Waits until the condition holds, or the process it depends on is gone. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  dependsOn?: RunningProcess,
): Promise<void> {
  while (!(await condition())) {
    if (dependsOn?.ended === true) throw new Error(`it ended: ${dependsOn.lines.join('\n')}`);
    await delay(POLL_INTERVAL_MS);
  }
}

function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], ...more };
}

function start(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): RunningProcess {
  const child: ChildProcess = spawn(command, args, {
    cwd: ROOT,
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
