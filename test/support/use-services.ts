/** Services that share one Redis, reached in some way, and checks of what a new service gets from it. */

import { expect } from 'chai';
import type { Deadlines } from '../../src/runtime/deadlines.ts';
import type { Logger } from '../../src/runtime/log/logger.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError } from './ask.ts';
import { aBroadcast } from './builders.ts';
import type { Broadcasting } from './keep-broadcasting.ts';
import { until } from './until.ts';
import { silentLogger, startTestService } from './start-test-service.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Services {
  /** Starts a service, which is closed after the test. The overrides win over the common environment. */
  readonly start: (overrides?: Environment, logger?: Logger, deadlines?: Deadlines) => Promise<Service>;
  /** The ids that a new service lists. */
  readonly listedAnew: () => Promise<ReadonlySet<string>>;
  /** Stops the load, and expects a new service to list everything that was acknowledged. */
  readonly expectNothingLost: (load: Broadcasting) => Promise<void>;
  /** Expects that with this mistake Redis is unavailable, and that the log has the reason and no secrets. */
  readonly expectAway: (mistake: Environment, reason: string) => Promise<void>;
}

export function useServices(environment: () => Environment): Services {
  const opened: Service[] = [];
  afterEach('the services', async () => {
    for (const service of opened.splice(0)) await service.close();
  });

  const services: Services = {
    async start(overrides = {}, logger = silentLogger, deadlines?) {
      const service = await startTestService({ ...environment(), ...overrides }, logger, deadlines);
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
