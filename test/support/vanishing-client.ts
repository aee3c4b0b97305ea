/** A client in a network of its own, which can vanish without a word, as a laptop does whose lid is closed. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface VanishingClient {
  /** Where it reaches this machine. */
  readonly host: string;
  /** Requests a stream there, by curl. */
  follow(url: string): void;
  /** From now on nothing that it sends arrives. */
  vanish(): void;
  close(): Promise<void>;
}

/** Needs network namespaces, and the programs ip and curl. */
export function createVanishingClient(): VanishingClient {
  const name = `gsls${process.pid}`;
  ip('netns', 'add', name);
  const network = `10.213.${process.pid % 256}`;
  const [host, client] = [`${network}.1`, `${network}.2`];
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('address', 'add', `${host}/30`, 'dev', name);
  ip('link', 'set', name, 'up');
  ip('-n', name, 'address', 'add', `${client}/30`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  const processes: ReturnType<typeof spawn>[] = [];
  return {
    host,
    follow(url) {
      const request = ['curl', '-sN', '-H', 'Accept: text/event-stream', url];
      processes.push(spawn('ip', ['netns', 'exec', name, ...request], { stdio: 'ignore' }));
    },
    vanish: () => ip('-n', name, 'route', 'add', 'blackhole', `${host}/32`),
    async close() {
      for (const each of processes)
        if (each.exitCode === null && each.kill('SIGKILL')) await once(each, 'close');
      ip('link', 'delete', name);
      ip('netns', 'delete', name);
    },
  };
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}
