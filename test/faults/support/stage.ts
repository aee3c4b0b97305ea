/**
 * The set-up that is broken: replicas as they are deployed, HAProxy with the configuration we ship, and a store
 * that somebody else started. Each replica can be killed, stopped, frozen and started again. Linux only.
 */

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, type Redis } from 'ioredis';
import { startDnsServer, type DnsServer } from '../../support/dns-server.ts';
import {
  endProcesses,
  hasHaproxy,
  startBuiltReplica,
  startHaproxy,
  until,
  type RunningProcess,
} from '../../support/processes.ts';
import { freePort } from '../../support/redis-server.ts';
import { now } from './recorder.ts';
import type { Address } from '../../support/ask.ts';

/** Where the registry is kept, as the replicas and as the tests reach it. */
export interface Store {
  /** The variables of a replica, such as GSLS_REDIS. */
  readonly environment: Readonly<Record<string, string>>;
  readonly client: Redis | Cluster;
  stop(): Promise<void>;
}

/** Those that take writes, as far as the client knows. */
export function mastersOf({ client }: Pick<Store, 'client'>): readonly Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}

export interface StageOptions {
  readonly store: Store;
  readonly ttlSeconds: number;
  /** More variables for the replicas. */
  readonly environment?: Readonly<Record<string, string>>;
}

const HOSTS = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
const READY_POLL_MS = 20;
const PAGE_BYTES = 4096;
const ERROR_LEVEL = 50;
/** A replica that has not ended this long after SIGTERM will not. */
const STOP_LIMIT_MS = 15_000;

/** One line of a replica's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export class Replica implements Address {
  readonly host: string;
  readonly port: number;
  readonly #environment: Readonly<Record<string, string>>;
  #process: RunningProcess | undefined;
  #mayEnd = true;
  #linesTaken = 0;
  /** Whether it can be expected to answer: it is awake, and has had a list since it started. */
  isServing = false;

  constructor(host: string, port: number, environment: Readonly<Record<string, string>>) {
    this.host = host;
    this.port = port;
    this.#environment = { ...environment, GSLS_HOST: host, GSLS_PORT: String(port) };
  }

  /** Resolves once it listens. */
  async start(): Promise<void> {
    this.#process = await startBuiltReplica(this.#environment);
    this.#linesTaken = 0;
    this.#mayEnd = false;
    this.isServing = await this.#isReady();
    if (!this.isServing) void this.#serveOnceReady(this.#process);
  }

  /** What was started while Redis is away has no list before it is back. */
  async #serveOnceReady(started: RunningProcess): Promise<void> {
    while (!this.#mayEnd && this.#process === started && !this.isServing) {
      await delay(READY_POLL_MS);
      const isReady = await this.#isReady();
      if (!this.#mayEnd && this.#process === started) this.isServing = isReady;
    }
  }

  async #isReady(): Promise<boolean> {
    const health = fetch(`http://${this.host}:${this.port}/health`, { signal: AbortSignal.timeout(1000) });
    return health.then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.#mayEnd = true;
    this.isServing = false;
    await this.#process!.stop('SIGKILL');
  }

  /** SIGTERM. Resolves with the exit code and the ms it took; the code is null for one that had to be killed. */
  async stop(): Promise<{ readonly code: number | null; readonly tookMs: number }> {
    this.#mayEnd = true;
    this.isServing = false;
    const from = now();
    const stopped = this.#process!.stop('SIGTERM');
    const limit = new AbortController();
    void delay(STOP_LIMIT_MS, undefined, { signal: limit.signal }).then(
      () => this.#process!.signal('SIGKILL'),
      () => undefined,
    );
    const code = await stopped;
    limit.abort();
    return { code, tookMs: now() - from };
  }

  /** SIGSTOP: its connections stay open, and the kernel goes on accepting new ones. */
  freeze(): void {
    this.isServing = false;
    this.#process!.signal('SIGSTOP');
  }

  thaw(): void {
    this.#process!.signal('SIGCONT');
    this.isServing = true;
  }

  /** Another one after each start. */
  get pid(): number {
    return this.#process!.pid;
  }

  /** What it holds in memory. */
  async residentBytes(): Promise<number> {
    const pages = await readFile(`/proc/${this.pid}/statm`, 'utf8');
    return Number(pages.split(' ')[1]) * PAGE_BYTES;
  }

  /** Of the process that ran last. */
  get log(): LogLine[] {
    const { lines } = this.#process!;
    return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  }

  /** What no replica should ever do, in sentences: what is new since it was last asked. Lines like `expected` are well. */
  takeMisbehaviour(expected?: RegExp): string[] {
    const replica = this.#process!;
    const unasked = replica.ended && !this.#mayEnd ? [`replica ${this.host} ended unasked`] : [];
    const loud = replica.lines
      .slice(this.#linesTaken)
      .filter((line) => !line.startsWith('{') || (JSON.parse(line) as LogLine).level >= ERROR_LEVEL)
      .filter((line) => expected?.test(line) !== true);
    this.#linesTaken = replica.lines.length;
    const said = loud.slice(0, 3).map((line) => `replica ${this.host} said: ${line.slice(0, 200)}`);
    return [...unasked, ...said];
  }
}

export class Stage {
  readonly store: Store;
  readonly ttlMs: number;
  readonly replicas: readonly Replica[];
  /** Where clients go. */
  readonly front: Address;
  readonly #haproxy: RunningProcess;
  readonly #dns: DnsServer;

  constructor(
    options: StageOptions,
    replicas: readonly Replica[],
    front: Address,
    haproxy: RunningProcess,
    dns: DnsServer,
  ) {
    this.store = options.store;
    this.ttlMs = options.ttlSeconds * 1000;
    this.replicas = replicas;
    this.front = front;
    this.#haproxy = haproxy;
    this.#dns = dns;
  }

  /** Those that can be expected to answer. */
  get serving(): readonly Replica[] {
    return this.replicas.filter(({ isServing }) => isServing);
  }

  /** Whether HAProxy believes so of the replica. */
  believes({ host }: Replica, state: 'UP' | 'DOWN'): boolean {
    return this.#stateOf(host) === state;
  }

  /** Waits until it does. */
  async believed(replica: Replica, state: 'UP' | 'DOWN'): Promise<void> {
    await until(() => this.believes(replica, state), this.#haproxy);
  }

  async stop(): Promise<void> {
    await Promise.all([
      this.#haproxy.stop('SIGKILL'),
      ...this.replicas.map(async (replica) => replica.kill()),
    ]);
    await this.#dns.stop();
    await this.store.stop();
  }

  /** What HAProxy last logged of the place that the replica has. */
  #stateOf(host: string): string | undefined {
    const addresses = new Map<string, string>();
    const states = new Map<string, string>();
    for (const line of this.#haproxy.lines) {
      const [, renamed, address] = /(replicas\/\S+) changed its IP from \S+ to (\S+) by/.exec(line) ?? [];
      if (renamed !== undefined) addresses.set(renamed, address!);
      const [, place, state] = /Server (replicas\/\S+) (?:\S+ )?is (UP|DOWN)/.exec(line) ?? [];
      if (place !== undefined) states.set(place, state!);
    }
    return [...addresses].filter(([, address]) => address === host).map(([place]) => states.get(place))[0];
  }
}

/** Three replicas behind HAProxy. Resolves once HAProxy sends requests to all of them. The stage ends the store. */
export async function startStage(options: StageOptions): Promise<Stage> {
  // Every address in 127.0.0.0/8 is this machine: on Linux.
  if (process.platform !== 'linux' || !hasHaproxy())
    throw new Error('faults are tested on Linux, with haproxy');
  const dns = await startDnsServer();
  try {
    return await openStage(options, dns);
  } catch (error) {
    await endProcesses();
    await dns.stop();
    await options.store.stop();
    throw error;
  }
}

async function openStage(options: StageOptions, dns: DnsServer): Promise<Stage> {
  const port = await freePort();
  const front = { host: '127.0.0.1', port: await freePort() };
  const environment = {
    GSLS_LOG_FORMAT: 'json',
    GSLS_TTL: String(options.ttlSeconds),
    ...options.store.environment,
    ...options.environment,
  };
  const replicas = HOSTS.map((host) => new Replica(host, port, environment));
  await Promise.all(replicas.map(async (replica) => replica.start()));
  dns.setAddresses(HOSTS);
  const haproxy = startHaproxy({
    LISTEN: `${front.host}:${front.port}`,
    RESOLVER: dns.address,
    REPLICAS: `gsls.test:${port}`,
    GSLS_KEY: '',
  });
  const stage = new Stage(options, replicas, front, haproxy, dns);
  await Promise.all(replicas.map(async (replica) => stage.believed(replica, 'UP')));
  return stage;
}
