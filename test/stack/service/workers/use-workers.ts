/** A service with two workers over a real Redis, as processes. */

import { ask, type Address } from '../../../support/ask.ts';
import { childrenOf } from '../../../support/children-of.ts';
import { valueOf } from '../../../support/metrics.ts';
import { startRedisServer, type RedisServer } from '../../../support/redis-server.ts';
import { startListeningCli, type ListeningCli } from '../../../support/start-cli.ts';
import { until } from '../../../support/until.ts';

export interface ServiceWithWorkers extends ListeningCli {
  readonly front: Address;
  readonly opsUrl: string;
  /** The ids of the processes of its workers. */
  readonly pids: () => readonly number[];
  /** The value of a metric. */
  readonly metric: (name: string, labels?: Readonly<Record<string, string | number>>) => Promise<number>;
  /** Resolves once so many workers take connections. */
  readonly untilListening: (count: number) => Promise<void>;
  /** The messages so far that match. */
  readonly messages: (pattern: RegExp) => readonly string[];
}

export interface UsedWorkers {
  readonly redis: RedisServer;
  /** Resolves once both take connections. It ends with the test. `headers`: those that let read the metrics. */
  start(args?: readonly string[], headers?: Readonly<Record<string, string>>): Promise<ServiceWithWorkers>;
}

/** `isCovered`: whether coverage counts them, where it is measured. */
export function useWorkers({ isCovered = true } = {}): UsedWorkers {
  let redis: RedisServer;
  let services: ListeningCli[] = [];
  before(async () => {
    redis = await startRedisServer();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    services = [];
  });
  after(() => redis.stop());
  return {
    get redis() {
      return redis;
    },
    async start(args = [], headers = {}) {
      const variables = { GSLS_REDIS: redis.url, GSLS_DRAIN_DELAY: '1' };
      const flags = ['--workers', '2', '--ops-port', '0', ...args];
      const cli = await startListeningCli(flags, variables, isCovered);
      services.push(cli);
      const { hostname, port } = new URL(cli.url);
      const { opsUrl } = await cli.logged('listening on');
      const messages = (pattern: RegExp): string[] =>
        cli.log.map(({ msg }) => msg).filter((msg) => pattern.test(msg));
      const service: ServiceWithWorkers = {
        ...cli,
        front: { host: hostname, port: Number(port) },
        opsUrl: opsUrl!,
        pids: () => childrenOf(cli.pid),
        async metric(name, labels) {
          // One connection may go to a worker that is about to be killed: nobody answers on it.
          const asked = ask({ url: opsUrl! }, 'GET /metrics', { headers, giveUpAfterMs: 5000 });
          return valueOf((await asked).text, name, labels);
        },
        untilListening: (count) =>
          until(async () => (await service.metric('gsls_workers').catch(() => 0)) === count),
        messages,
      };
      await service.untilListening(2);
      return service;
    },
  };
}
