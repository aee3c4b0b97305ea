/** Load from another process: wrk where it is installed, else autocannon. */

import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request } from './requests.ts';

export interface LoadOptions {
  readonly url: string;
  readonly requests: readonly Request[];
  readonly seconds: number;
  readonly connections: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were no success, and connections that failed. */
  readonly errors: number;
}

export const loadTool = spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon';

/** Plays the requests in turn, over and over, on all connections. */
export function runLoad(options: LoadOptions): Promise<LoadResult> {
  return loadTool === 'wrk' ? runWrk(options) : runAutocannon(options);
}

async function runWrk({ url, requests, seconds, connections }: LoadOptions): Promise<LoadResult> {
  const directory = await mkdtemp(join(tmpdir(), 'gsls-bench-'));
  const file = join(directory, 'requests');
  const lines = requests.map(({ method, path, headers, body }) => {
    const flat = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [method, path, flat.join('|'), body].join('\t');
  });
  await writeFile(file, lines.join('\n'));
  const script = fileURLToPath(new URL('load.lua', import.meta.url));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
  const output = await run('wrk', args, { BENCH_REQUESTS: file });
  await rm(directory, { recursive: true });
  return JSON.parse(/^RESULT (.*)$/m.exec(output)![1]!) as LoadResult;
}

/** In a process of its own as well, so that its work is not counted as ours. */
async function runAutocannon({ url, requests, seconds, connections }: LoadOptions): Promise<LoadResult> {
  const program = `
    import autocannon from 'autocannon';
    let input = '';
    for await (const chunk of process.stdin) input += chunk;
    const result = await autocannon(JSON.parse(input));
    const { requests, duration, latency, errors, non2xx, statusCodeStats } = result;
    const notModified = statusCodeStats?.['304']?.count ?? 0;
    console.log('RESULT ' + JSON.stringify({ requests: requests.total, seconds: duration, p50Ms: latency.p50,
      p99Ms: latency.p99, errors: errors + non2xx - notModified }));`;
  const input = JSON.stringify({ url, duration: seconds, connections, requests });
  const output = await run(process.execPath, ['--input-type=module', '--eval', program], {}, input);
  return JSON.parse(/^RESULT (.*)$/m.exec(output)![1]!) as LoadResult;
}

function run(
  command: string,
  args: readonly string[],
  environment: Record<string, string>,
  input = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', () => resolve(output));
    child.stdin.end(input);
  });
}
