/** Meters for what Redis does: µs of CPU, which vary on a machine that is shared, and instructions, which do not. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../test/support/free-port.ts';
import { HOST, startRedis } from '../support/processes.ts';
import { redisCpuUs } from '../support/usage.ts';
import type { Meter } from './load-in-turn.ts';

export interface MeteredRedis {
  readonly port: number;
  readonly client: Redis;
  readonly meter: Meter;
  stop(): Promise<void>;
}

export async function startTimedRedis(): Promise<MeteredRedis> {
  const redis = await startRedis();
  const { port, client } = redis;
  const meter: Meter = async (run) => {
    const before = await redisCpuUs(client);
    const made = await run();
    return { used: (await redisCpuUs(client)) - before, made };
  };
  return { port, client, meter, stop: () => redis.stop() };
}

const RETRY_MS = 100;

/** A Redis under valgrind, which counts what it executes in user mode. It is some fifty times slower. */
export async function startCountedRedis(): Promise<MeteredRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-callgrind-'));
  const port = await freePort();
  const counter = ['--tool=callgrind', '--instr-atstart=no', `--callgrind-out-file=${folder}/counts`];
  const server = ['redis-server', '--port', String(port), '--bind', HOST, '--dir', folder, '--save', ''];
  const child = spawn('valgrind', [...counter, ...server], { stdio: 'ignore' });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const client = new Redis({ port, host: HOST, retryStrategy: () => RETRY_MS });
  client.on('error', () => undefined);
  await new Promise((resolve) => client.once('ready', resolve));
  const control = (...args: readonly string[]): void =>
    void execFileSync('callgrind_control', [...args, String(child.pid)], { stdio: 'ignore' });
  const meter: Meter = async (run) => {
    control('--zero');
    control('--instr=on');
    const made = await run();
    control('--instr=off');
    control('--dump');
    const [dump] = readdirSync(folder).filter((name) => /^counts\.\d+$/.test(name));
    const text = readFileSync(join(folder, dump!), 'utf8');
    rmSync(join(folder, dump!));
    return { used: Number(/^totals: (\d+)/m.exec(text)![1]), made };
  };
  return {
    port,
    client,
    meter,
    async stop() {
      client.disconnect();
      const exited = once(child, 'exit');
      kill();
      await exited;
      process.off('exit', kill);
      rmSync(folder, { recursive: true });
    },
  };
}
