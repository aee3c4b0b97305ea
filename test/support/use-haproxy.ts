/** deploy/haproxy.cfg before replicas on one Redis, for a describe block whose tests let them come and go. */

import { ask, type Address, type AskOptions, type TestAnswer } from './ask.ts';
import { startDnsServer, type DnsServer } from './dns-server.ts';
import { freePort } from './free-port.ts';
import { DRAIN_DELAY_S, startNearReplica, type NearReplica } from './near-replica.ts';
import { endProcesses, startHaproxy, type RunningProcess } from './processes.ts';
import { startRedisServer, type RedisServer } from './redis-server.ts';
import { until } from './until.ts';
import { LOAD_TTL_S } from './use-load.ts';

/** Characters that have a meaning in the configuration of HAProxy. */
export const KEY = '50% of a "key" \\ $HOME #1';
export const AUTHORIZATION = { Authorization: `Bearer ${KEY}` };

/** Every address that listens in these tests. In 127.0.0.0/8 each is this machine: on Linux. */
export const HOSTS = [11, 12, 13, 14, 15, 16].map((last) => `127.0.0.${last}`);

/** How HAProxy learns of the replicas: its variables. */
const WAYS = {
  'with a DNS server': (port: number, dns: DnsServer) => ({
    RESOLVER: dns.address,
    REPLICAS: `gsls.test:${port}`,
  }),
  'with a list of replicas': (port: number) =>
    Object.fromEntries(HOSTS.map((host, index) => [`REPLICA_${index + 1}`, `${host}:${port}`])),
} as const;

export interface UsedHaproxy {
  readonly process: RunningProcess;
  readonly front: Address;
  /** Of all replicas. */
  readonly port: number;
  /** Of the replicas that run. */
  readonly hosts: readonly string[];
  /** What a replica that runs has logged. */
  readonly log: (host: string) => readonly string[];
  /** Through HAProxy, with the key. */
  readonly ask: (call: string, options?: AskOptions) => Promise<TestAnswer>;
  /** Starts a replica in this process. Resolves once HAProxy sends it requests. */
  readonly add: (host: string) => Promise<void>;
  /** Lets a replica drain and end. */
  readonly stop: (host: string) => Promise<void>;
  /** Gives HAProxy's DNS the addresses of the replicas that run, without some and with others. */
  readonly announce: (changes?: { readonly without?: string; readonly others?: readonly string[] }) => void;
  /** Resolves once HAProxy has sent a request to this replica. */
  readonly untilReached: (host: string) => Promise<void>;
  /** Resolves with a new line of HAProxy's log. */
  readonly says: (what: RegExp) => Promise<void>;
}

/** Call it in a describe block. No replica runs at first. */
export function useHaproxy(way: keyof typeof WAYS): UsedHaproxy {
  let redis: RedisServer;
  let dns: DnsServer;
  let haproxy: RunningProcess;
  let port: number;
  let front: Address;
  const replicas = new Map<string, NearReplica>();

  before('HAProxy', async () => {
    redis = await startRedisServer();
    dns = await startDnsServer();
    port = await freePort();
    front = { host: '127.0.0.1', port: await freePort() };
    const replicaVariables = WAYS[way](port, dns);
    haproxy = startHaproxy({ LISTEN: `${front.host}:${front.port}`, ...replicaVariables, GSLS_KEY: KEY });
  });
  after('HAProxy', async () => {
    await endProcesses();
    await Promise.all([...replicas.values()].map((replica) => replica.close()));
    await dns?.stop();
    await redis?.stop();
  });

  const environmentOf = (host: string): Readonly<Record<string, string>> => ({
    GSLS_HOST: host,
    GSLS_PORT: String(port),
    GSLS_REDIS: redis.url,
    GSLS_KEY: KEY,
    GSLS_TRUST_PROXY: 'loopback',
    GSLS_ADMIN_KEY: 'boss',
    GSLS_TTL: String(LOAD_TTL_S),
    GSLS_DRAIN_DELAY: String(DRAIN_DELAY_S),
    // They have all clients beside them.
    GSLS_NO_LOAD_SHEDDING: 'true',
    GSLS_LOG_LEVEL: 'debug',
  });

  const haproxySite: UsedHaproxy = {
    get process() {
      return haproxy;
    },
    get front() {
      return front;
    },
    get port() {
      return port;
    },
    get hosts() {
      return [...replicas.keys()];
    },
    log: (host) => replicas.get(host)!.lines,
    ask: (call, options = {}) =>
      ask(front, call, { ...options, headers: { ...AUTHORIZATION, ...options.headers } }),
    async add(host) {
      replicas.set(host, await startNearReplica(environmentOf(host)));
      haproxySite.announce();
      await haproxySite.untilReached(host);
    },
    async stop(host) {
      await replicas.get(host)!.stop();
      replicas.delete(host);
    },
    announce({ without, others = [] } = {}) {
      dns.setAddresses([...replicas.keys(), ...others].filter((host) => host !== without));
    },
    async untilReached(host) {
      const path = `/marker-${Math.random()}`;
      // It logs the paths that it refuses.
      await until(async () => {
        await haproxySite.ask(`GET ${path}`).catch(() => undefined);
        return haproxySite.log(host).some((line) => line.includes(path));
      }, haproxy);
    },
    async says(what) {
      const said = haproxy.lines.length;
      await until(() => haproxy.lines.slice(said).some((line) => what.test(line)), haproxy);
    },
  };
  return haproxySite;
}
