/**
 * Services that describe themselves, each with all that an option offers and what else a test needs: started whole, or
 * only what answers in one.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConfig } from '../../src/service/config/config.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import { createListener } from './create-listener.ts';
import { type ServiceContextOptions } from '../../src/service/service-context.ts';
import { type Service } from '../../src/service/service.ts';
import { ApiDescription } from './api-description.ts';
import { listen } from './listen.ts';
import { ADMIN_KEY } from './moderated-registry.ts';
import { PATIENT } from './patient.ts';
import { silentLogger, startTestService } from './start-test-service.ts';

type Environment = Readonly<Record<string, string>>;

/** A service with the description that it gives of itself. */
export interface Described {
  readonly service: { readonly url: string };
  readonly description: ApiDescription;
  readonly close: () => Promise<void>;
}

const OFFERS: Environment = {
  GSLS_ADMIN_KEY: ADMIN_KEY,
  GSLS_ALLOW_UNLISTED: 'true',
  GSLS_REPORT_REASONS: 'spam,cheating',
};

/** A whole service. `prepare` is called once it has described itself. */
export function serviceWith(
  environment: Environment = {},
  prepare: (service: Service) => unknown = () => undefined,
  deadlines = PATIENT,
): () => Promise<Described> {
  return async () => {
    const service = await startTestService({ ...OFFERS, ...environment }, silentLogger, deadlines);
    const { GSLS_KEY: key } = environment;
    const description = await ApiDescription.of(
      service,
      key === undefined ? {} : { headers: { Authorization: key } },
    );
    await prepare(service);
    return { service, description, close: () => service.close() };
  };
}

/** What answers in a service, with parts that no option changes. `serverHistoryMost`: see RegistryRules. */
export function listenerWith(
  partsFor: (registry: MemoryRegistry) => Promise<Partial<ServiceContextOptions>>,
  serverHistoryMost = 100,
): () => Promise<Described> {
  return async () => {
    const config = createConfig({ flags: {}, environment: OFFERS, readFile: () => '' });
    const lifetime = createLifetime(60_000);
    const registry = new MemoryRegistry({ lifetime, uniqueAddress: false, serverHistoryMost });
    const parts = await partsFor(registry);
    const server = createServer(
      createListener({ config, registry, lifetime, logger: silentLogger, ...parts }),
    );
    await listen(server, '127.0.0.1', 0);
    const service = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    return {
      service,
      description: await ApiDescription.of(service),
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await registry.close();
      },
    };
  };
}
