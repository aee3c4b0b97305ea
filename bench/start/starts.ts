/** What it takes to start: of a command until it ends, of the service until its first answer. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { freePort } from '../../test/support/free-port.ts';
import { readPreciseCpuUs } from '../support/usage.ts';

export interface Start {
  readonly wallMs: number;
  /** User and kernel mode, all threads. */
  readonly cpuMs: number;
}

const HOST = '127.0.0.1';
/** So often the service is asked until it answers. */
const POLL_MS = 1;

/** Of Node with these arguments, until it has ended. The shell measures: Node does not tell the CPU of a child. */
export async function startCommand(args: readonly string[]): Promise<Start> {
  const command = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1';
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = spawn('bash', ['-c', command, 'bash', process.execPath, ...args], { stdio: [...stdio] });
  const [wallS, userS, systemS] = (await text(child.stderr)).trim().split(' ').map(Number);
  return { wallMs: 1000 * wallS!, cpuMs: 1000 * (userS! + systemS!) };
}

/** Of Node with these arguments, which go on for ever, until it first prints anything. */
export async function startToOutput(args: readonly string[]): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
  if (child.exitCode !== null) throw new Error(`${args.join(' ')} has ended with ${child.exitCode}`);
  const start = { wallMs: performance.now() - startedAt, cpuMs: readPreciseCpuUs(child.pid!) / 1000 };
  child.kill('SIGKILL');
  await ended;
  return start;
}

export interface RunningService {
  readonly url: string;
  readonly pid: number;
  /** Until its first answer. */
  readonly start: Start;
  end(): Promise<void>;
}

/** The service in memory. Resolves once it has answered a list with 200. */
export async function startInMemory(program: string, flags: readonly string[] = []): Promise<RunningService> {
  const port = await freePort();
  const args = [program, `--host=${HOST}`, `--port=${port}`, ...flags];
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: { PATH: process.env['PATH'] } });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  while ((await statusOf(port)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${program} has ended with ${child.exitCode}`);
    await delay(POLL_MS);
  }
  return {
    url: `http://${HOST}:${port}`,
    pid: child.pid!,
    start: { wallMs: performance.now() - startedAt, cpuMs: readPreciseCpuUs(child.pid!) / 1000 },
    async end() {
      kill();
      await ended;
      process.off('exit', kill);
    },
  };
}

/** Of the list; undefined if nobody listens. */
function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    request({ host: HOST, port, path: '/', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', () => resolve(undefined))
      .end();
  });
}
