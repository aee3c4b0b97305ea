/** Services that share a Redis reached in one way or another, and what one has that has never seen any of it. */

import { expect } from 'chai';
import type { Logger } from '../../src/log/logger.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError } from './ask.ts';
import { aBroadcast } from './builders.ts';
import type { Broadcasting } from './keep-broadcasting.ts';
import { until } from './processes.ts';
import { silentLogger, startTestService } from './start-test-service.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Services {
  /** Closed after the test. The overrides win. */
  readonly start: (overrides?: Environment, logger?: Logger) => Promise<Service>;
  /** The ids that a new one lists. */
  readonly listedAnew: () => Promise<ReadonlySet<string>>;
  /** Ends the load; a new service lists everything that was acknowledged to it. */
  readonly expectNothingLost: (load: Broadcasting) => Promise<void>;
  /** With this mistake Redis is as good as away, and the log says why; secrets are not in it. */
  readonly expectAway: (mistake: Environment, reason: string) => Promise<void>;
}

export function useServices(environment: () => Environment): Services {
  const opened: Service[] = [];
  afterEach('the services', async () => {
    for (const service of opened.splice(0)) await service.close();
  });

  const services: Services = {
    async start(overrides = {}, logger = silentLogger) {
      const service = await startTestService({ ...environment(), ...overrides }, logger);
      opened.push(service);
      return service;
    },
    async listedAnew() {
      const { body } = await ask(await services.start(), 'GET /');
      return new Set(body.servers!.map(({ id }) => id));
    },
    async expectNothingLost(load) {
      await load.stop();
      const listed = await services.listedAnew();
      expect(load.acknowledged.filter((id) => !listed.has(id))).to.deep.equal([]);
    },
    async expectAway(mistake, reason) {
      const reasons: unknown[] = [];
      const warn = (fields: object): void => void reasons.push((fields as { reason?: unknown }).reason);
      const service = await services.start(mistake, { ...silentLogger, warn });
      expectError(await ask(service, 'POST /broadcast', { body: aBroadcast() }), 'registry_unavailable');
      await until(() => reasons.some((each) => String(each).includes(reason)));
      expect(reasons.join()).to.not.include('hunter2');
    },
  };
  return services;
}
