/** The built service with many game servers in memory, as a process of its own, and the changes of its list. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { until } from '../../test/support/until.ts';
import { bodyOf, detailsNumber, gameServerNumber, type Listed } from '../support/requests.ts';

export interface RunningService {
  readonly url: string;
  /** Changes the players of random game servers, so many a second, until the returned function is called. */
  keepChanging(changesPerSecond: number): () => void;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const CONNECTIONS = 16;
const TICK_MS = 20;
const MOST_PLAYERS = 64;

/** Resolves when so many are listed. */
export async function startServiceWith(count: number): Promise<RunningService> {
  const port = await freePort();
  const options = ['--host', '127.0.0.1', '--port', String(port), '--ttl', '86400', '--log-level', 'warn'];
  const child = spawn(process.execPath, [PROGRAM, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok === true);

  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const post = (path: string, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const outgoing = request(`${url}${path}`, { method: 'POST', agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => resolve(text));
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  const listed: Listed[] = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const answer = JSON.parse(await post('/broadcast', bodyNumber(n))) as { readonly server_id: string };
      return { id: answer.server_id, n };
    }),
  );

  return {
    url,
    keepChanging(changesPerSecond) {
      const startedAt = performance.now();
      let sent = 0;
      const timer = setInterval(() => {
        const due = ((performance.now() - startedAt) / 1000) * changesPerSecond;
        for (; sent < due; sent += 1) {
          const { id, n } = listed[Math.floor(Math.random() * listed.length)]!;
          post('/ping', bodyNumber(n, id, Math.floor(Math.random() * MOST_PLAYERS))).catch(() => undefined);
        }
      }, TICK_MS);
      return () => clearInterval(timer);
    },
    async stop() {
      agent.destroy();
      process.off('exit', endWithUs);
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function bodyNumber(n: number, id?: string, players = n % MOST_PLAYERS): string {
  return bodyOf({ ...gameServerNumber(n, players), details: detailsNumber(n) }, id);
}
