/** A service in memory whose game servers live and expire by a manual clock. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConfig } from '../../../src/service/config/config.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { createListener } from '../../support/create-listener.ts';
import { createPast } from '../../../src/tools/demo/past.ts';
import { listen } from '../../support/listen.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLogger } from '../../support/start-test-service.ts';

export interface ClockedService {
  readonly url: string;
  readonly clock: ManualClock;
}

/** Call it in a describe block: it is there for each test anew, with a TTL of 60 s and a past. */
export function useClockedService(environment: Readonly<Record<string, string>> = {}): ClockedService {
  let server: Server;
  let registry: MemoryRegistry;
  let clock: ManualClock;
  beforeEach(async () => {
    clock = new ManualClock();
    const lifetime = createLifetime(60_000);
    const past = createPast({ now: clock.now(), servers: 100, players: 900, days: 30 });
    registry = new MemoryRegistry({ lifetime, clock, past, uniqueAddress: false });
    const config = createConfig({ flags: {}, environment, readFile: () => '' });
    server = createServer(createListener({ config, registry, lifetime, logger: silentLogger }));
    await listen(server, '127.0.0.1', 0);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await registry.close();
  });
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    get clock() {
      return clock;
    },
  };
}
