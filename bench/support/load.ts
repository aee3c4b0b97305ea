/** Load from another process: wrk, which has to be installed. */

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { has } from '../../test/support/needs.ts';
import type { Request } from './requests.ts';

export interface LoadOptions {
  readonly url: string;
  readonly requests: readonly Request[];
  readonly seconds: number;
  readonly connections: number;
  /** Ends it earlier, when so many requests were sent. */
  readonly count?: number;
}

export interface LoadResult {
  /** Those that were answered. */
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were no success, and connections that failed. */
  readonly errors: number;
}

/** Plays the requests in turn, over and over, on all connections. */
export async function runLoad({
  url,
  requests,
  seconds,
  connections,
  count,
}: LoadOptions): Promise<LoadResult> {
  if (!has('wrk')) throw new Error('wrk is not installed');
  const directory = await mkdtemp(join(tmpdir(), 'gsls-bench-'));
  const file = join(directory, 'requests');
  const lines = requests.map(({ method, path, headers, body }) => {
    const flat = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [method, path, flat.join('|'), body].join('\t');
  });
  await writeFile(file, lines.join('\n'));
  const script = fileURLToPath(new URL('load.lua', import.meta.url));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
  const wrk = spawn('wrk', args, {
    env: { ...process.env, BENCH_REQUESTS: file, BENCH_COUNT: String(count ?? '') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(wrk.stdout);
  await rm(directory, { recursive: true });
  return JSON.parse(/^RESULT (.*)$/m.exec(output)![1]!) as LoadResult;
}
