/** A service with a registry in memory whose clock a test moves. HTTP keeps the time of the system. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConfig } from '../../../src/config/config.ts';
import { openModeration } from '../../../src/moderation/open-moderation.ts';
import { openProtocols } from '../../../src/protocols/open-protocols.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { listenTo } from '../../../src/service/listener.ts';
import { createParts } from '../../../src/service/parts.ts';
import { openRooms } from '../../../src/service/rooms.ts';
import type { ManualClock } from '../manual-clock.ts';
import { silentLogger } from '../start-test-service.ts';
import type { Environment, ProtocolService } from './protocol-driver.ts';

export interface ServiceOnClock extends ProtocolService {
  close(): Promise<void>;
}

export async function serveOnClock(environment: Environment, clock: ManualClock): Promise<ServiceOnClock> {
  const config = createConfig({ flags: {}, environment, readFile: () => '' });
  const lifetime = createLifetime(config.ttl * 1000);
  const registry = new MemoryRegistry({ lifetime, clock, uniqueAddress: config.uniqueAddress });
  const closers: (() => Promise<void>)[] = [() => registry.close()];
  const parts = createParts({ config, registry, lifetime, logger: silentLogger });
  const protocols = await openProtocols({
    ...parts,
    now: () => clock.now(),
    onOutcome: parts.metrics.protocols.onOutcome,
    closeLater: (closer) => void closers.push(closer),
  });
  const server = createServer(listenTo(parts, [...openRooms(parts, openModeration(parts)), ...protocols]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    environment,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const close of closers.toReversed()) await close();
    },
  };
}
