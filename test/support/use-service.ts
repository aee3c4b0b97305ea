/** The service of a describe block: started before its tests, closed after them. */

import type { Service } from '../../src/service/service.ts';
import { ask } from './ask.ts';
import { aBroadcast, type ListedBody } from './builders.ts';
import { startTestService } from './start-test-service.ts';

export interface UsedService {
  readonly url: string;
  /** Broadcasts and returns the id. */
  broadcast(overrides?: Record<string, unknown>): Promise<string>;
  /** The entry with the id in the list. */
  listed(id: string): Promise<ListedBody | undefined>;
}

type Environment = Readonly<Record<string, string>>;

/** Call it in a describe block. A function for the environment is called when the service starts. */
export function useService(environment: Environment | (() => Environment) = {}): UsedService {
  let service: Service;
  before(async () => {
    service = await startTestService(typeof environment === 'function' ? environment() : environment);
  });
  after(() => service.close());

  return {
    get url() {
      return service.url;
    },
    async broadcast(overrides = {}) {
      const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast(overrides) });
      return body.server_id!;
    },
    async listed(id) {
      const { body } = await ask(service, 'GET /');
      return body.servers?.find((server) => server.id === id);
    },
  };
}
