/**
 * What a fault breaks: three replicas, HAProxy with the configuration of the repository, and a store that the caller
 * has started. Linux only.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, type Redis } from 'ioredis';
import { startDnsServer, type DnsServer } from '../../support/dns-server.ts';
import { has } from '../../support/needs.ts';
import { endProcesses, startHaproxy, type RunningProcess } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../../support/free-port.ts';
import { Replica } from './replica.ts';
import type { Address } from '../../support/ask.ts';

/** Where the registry is kept, and how replicas and tests reach it. */
export interface Store {
  /** The variables of a replica, such as GSLS_REDIS. */
  readonly environment: Readonly<Record<string, string>>;
  readonly client: Redis | Cluster;
  stop(): Promise<void>;
}

/** The nodes that take writes, as far as the client knows. */
export function mastersOf({ client }: Pick<Store, 'client'>): readonly Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}

export interface SetupOptions {
  readonly store: Store;
  readonly ttlSeconds: number;
  /** More variables for the replicas. */
  readonly environment?: Readonly<Record<string, string>>;
  /** And more for the replica at this address. */
  readonly environmentAt?: (host: string) => Readonly<Record<string, string>>;
  /** The text of a configuration file, which all replicas share; without it they have none. */
  readonly config?: string;
  /** The folder of the version that the replicas run at first; without it, this checkout. */
  readonly folder?: string;
}

/** How many workers each replica has. With several, a nemesis strikes single ones too. */
export const WORKERS = Number(process.env['GSLS_FAULT_WORKERS'] ?? 1);

const HOSTS = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];

export class Setup {
  readonly store: Store;
  readonly ttlMs: number;
  readonly replicas: readonly Replica[];
  /** Where clients go. */
  readonly front: Address;
  readonly #haproxy: RunningProcess;
  readonly #dns: DnsServer;
  readonly #configFolder: string;

  constructor(
    options: SetupOptions,
    replicas: readonly Replica[],
    front: Address,
    haproxy: RunningProcess,
    dns: DnsServer,
    configFolder: string,
  ) {
    this.store = options.store;
    this.ttlMs = options.ttlSeconds * 1000;
    this.replicas = replicas;
    this.front = front;
    this.#haproxy = haproxy;
    this.#dns = dns;
    this.#configFolder = configFolder;
  }

  /** The replicas that can be expected to answer. */
  get serving(): readonly Replica[] {
    return this.replicas.filter(({ isServing }) => isServing);
  }

  /** Whether HAProxy takes the replica for UP, or for DOWN. */
  believes({ host }: Replica, state: 'UP' | 'DOWN'): boolean {
    return this.#stateOf(host) === state;
  }

  /** Waits until HAProxy does. */
  async believed(replica: Replica, state: 'UP' | 'DOWN'): Promise<void> {
    await until(() => this.believes(replica, state), this.#haproxy);
  }

  /** Changes the configuration file, and waits until each replica that serves goes by it. */
  async configure(yaml: string): Promise<void> {
    const counts = this.serving.map((replica) => [replica, replica.reloads] as const);
    await writeFile(configIn(this.#configFolder), yaml);
    await until(() => counts.every(([replica, count]) => replica.reloads > count));
  }

  async stop(): Promise<void> {
    await Promise.all([
      this.#haproxy.stop('SIGKILL'),
      ...this.replicas.map(async (replica) => replica.kill()),
    ]);
    await this.#dns.stop();
    await this.store.stop();
    await rm(this.#configFolder, { recursive: true });
  }

  /** The state that HAProxy logged last for the address. */
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

/** Resolves once HAProxy sends requests to all three replicas. The setup stops the store when it stops. */
export async function startSetup(options: SetupOptions): Promise<Setup> {
  // Every address in 127.0.0.0/8 is this machine: on Linux.
  if (!has('Linux') || !has('haproxy')) throw new Error('faults are tested on Linux, with haproxy');
  const dns = await startDnsServer();
  try {
    return await openSetup(options, dns);
  } catch (error) {
    await endProcesses();
    await dns.stop();
    await options.store.stop();
    throw error;
  }
}

async function openSetup(options: SetupOptions, dns: DnsServer): Promise<Setup> {
  const port = await freePort();
  const front = { host: '127.0.0.1', port: await freePort() };
  const configFolder = await mkdtemp(join(tmpdir(), 'gsls-faults-'));
  if (options.config !== undefined) await writeFile(configIn(configFolder), options.config);
  const environment = {
    ...(options.config !== undefined && { GSLS_CONFIG: configIn(configFolder) }),
    GSLS_LOG_FORMAT: 'json',
    GSLS_TTL: String(options.ttlSeconds),
    ...(WORKERS > 1 && { GSLS_WORKERS: String(WORKERS) }),
    ...options.store.environment,
    ...options.environment,
  };
  const replicas = HOSTS.map((host) => {
    const own = options.environmentAt?.(host);
    return new Replica(host, port, { ...environment, ...own }, options.folder);
  });
  await Promise.all(replicas.map(async (replica) => replica.start()));
  dns.setAddresses(HOSTS);
  const haproxy = startHaproxy({
    LISTEN: `${front.host}:${front.port}`,
    RESOLVER: dns.address,
    REPLICAS: `gsls.test:${port}`,
    GSLS_KEY: '',
  });
  const setup = new Setup(options, replicas, front, haproxy, dns, configFolder);
  await Promise.all(replicas.map(async (replica) => setup.believed(replica, 'UP')));
  return setup;
}

function configIn(folder: string): string {
  return join(folder, 'gsls.yaml');
}
