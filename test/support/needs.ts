/**
 * Tests that need a program of the machine, or an operating system. Where it is missing they are pending, with the
 * reason in their title: never absent. Where CI is set a missing program is an error instead.
 */

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Func, AsyncFunc, Suite, Test } from 'mocha';

type Program =
  | ('redis-server' | 'haproxy' | 'prometheus' | 'promtool' | 'openssl' | 'prlimit' | 'script' | 'mkfifo')
  | ('bash' | 'curl' | 'npm' | 'redis-cli' | 'python3' | 'mcs' | 'mono' | 'gcc' | 'g++' | 'chromium')
  | ('curl-config' | 'cmake' | 'pkg-config' | 'git' | 'mmdblookup')
  | ('podman' | 'minisign' | 'sha256sum' | 'qemu-aarch64-static' | 'chroot')
  | ('dpkg-deb' | 'lintian' | 'debootstrap' | 'zsh' | 'fish' | 'mandoc')
  | ('wrk' | 'ip' | 'iptables' | 'kubectl' | 'nginx' | 'varnishd' | 'caddy' | 'systemd-analyze' | 'tmux')
  | ('DDNet-Server' | 'minetestserver' | 'openarena-server' | 'teeworlds-server' | 'godot3-server');
export type Need = Program | System;
type System = 'Linux' | 'POSIX' | 'IPv6' | 'nameserver' | 'network namespaces';

const RESOLVER = '/etc/resolv.conf';

export interface NeedyTests {
  describe(title: string, body: (this: Suite) => void): Suite;
  it(title: string, body: Func | AsyncFunc): Test;
}

/** `needs('redis-server').describe('a connection', …)`: runs where all of these are there. */
export function needs(...wanted: readonly Need[]): NeedyTests {
  const missing = wanted.filter((need) => !has(need));
  if (missing.length === 0) return { describe, it };
  const names = missing.join(' and ');
  if (process.env['CI'] && missing.every(isProgram)) return failing(`${names} is missing: CI tests with it`);
  const reason = `(pending: needs ${names})`;
  return {
    describe: (title, body) => describe.skip(`${title} ${reason}`, body) as Suite,
    it: (title, body) => it.skip(`${title} ${reason}`, body as Func),
  };
}

/** Fails when it runs: Mocha hides the message of an error that a file throws while it is loaded. */
function failing(message: string): NeedyTests {
  const fail = (): never => {
    throw new Error(message);
  };
  return {
    describe: (title) => describe(title, () => void it('runs', fail)),
    it: (title) => it(title, fail),
  };
}

/** Whether this is there: a program on the PATH, the operating system, or a nameserver in /etc/resolv.conf. */
export function has(need: Need): boolean {
  if (need === 'Linux') return process.platform === 'linux';
  if (need === 'network namespaces') return mayMakeNetworks();
  if (need === 'POSIX') return process.platform !== 'win32';
  if (need === 'IPv6')
    return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
  if (need === 'nameserver')
    return existsSync(RESOLVER) && /^nameserver/m.test(readFileSync(RESOLVER, 'utf8'));
  return findProgram(need) !== undefined;
}

/** Where Debian has its games: not on the PATH of every user. */
const GAMES = '/usr/games';

/** The path of a program on the PATH, or among the games; undefined where it is missing. */
export function findProgram(name: Program): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), GAMES];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** On Linux, with CAP_NET_ADMIN and CAP_SYS_ADMIN: see capabilities(7). */
function mayMakeNetworks(): boolean {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const capabilities = BigInt(`0x${/^CapEff:\s*([\da-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const needed = (1n << 12n) | (1n << 21n);
  return (capabilities & needed) === needed;
}

function isProgram(need: Need): need is Program {
  return !['Linux', 'POSIX', 'IPv6', 'nameserver', 'network namespaces'].includes(need);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
