/**
 * A service that speaks one protocol. Its rooms live twenty times as fast as the system, so that tests do not wait for
 * lists that are used again and game servers that are given time to answer. HTTP keeps the time of the system.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { openMetrics } from '../../../src/api/ops/open-ops.ts';
import { createConfig } from '../../../src/service/config/config.ts';
import { protocolContextOf } from '../../../src/protocols/open-protocols.ts';
import { Pulse } from '../../../src/runtime/pulse.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { systemClock, type Clock } from '../../../src/registry/registry.ts';
import { openModerators } from '../../../src/service/listener.ts';
import { listenTo } from '../create-listener.ts';
import { createMetrics, METRICS_TYPE } from '../../../src/service/metrics/create-metrics.ts';
import { openRedis } from '../../../src/service/open-redis.ts';
import { openRegistry } from '../../../src/service/open-registry.ts';
import { createServiceContext } from '../../../src/service/service-context.ts';
import { roomOptionsOf } from '../../../src/service/room-options.ts';
import { openRooms } from '../../../src/service/rooms.ts';
import type { ManualClock } from '../manual-clock.ts';
import { PATIENT } from '../patient.ts';
import { silentLogger, thisProcess } from '../start-test-service.ts';
import type { Environment, ProtocolDriver, ProtocolService } from './protocol-driver.ts';

const SPEED = 20;

const startedAt = Date.now();

const hastyClock: Clock = {
  now: () => startedAt + (Date.now() - startedAt) * SPEED,
  every: (ms, task) => systemClock.every(ms / SPEED, task),
};

export interface ServedProtocol extends ProtocolService {
  close(): Promise<void>;
}

/** `clock`: of a registry in memory, whose time the test moves. */
export async function serve(
  driver: ProtocolDriver,
  environment: Environment,
  clock?: ManualClock,
): Promise<ServedProtocol> {
  const config = createConfig({ flags: {}, environment, readFile: (path) => readFileSync(path, 'utf8') });
  const options = roomOptionsOf(config);
  const lifetime = createLifetime(config.ttl * 1000, config.keepId * 1000);
  const closers: (() => Promise<void>)[] = [];
  const closeLater = (closer: () => Promise<void>): void => void closers.push(closer);
  const pulse = new Pulse(PATIENT);
  const hasRedis = config.redisAddress !== undefined;
  const metrics = createMetrics({
    hasRedis,
    hasDataFile: config.dataFile !== undefined,
    protocols: [driver.protocol],
  });
  const address = config.redisAddress;
  const link =
    address &&
    (await openRedis({ address, logger: silentLogger, metrics: metrics.ofProcess, deadlines: PATIENT }));
  if (link !== undefined) closeLater(() => link.connection.close());
  const { registry } =
    clock === undefined
      ? await openRegistry({
          config,
          rules: options.registry,
          lifetime,
          logger: silentLogger,
          metrics,
          link,
          processes: thisProcess,
          deadlines: PATIENT,
          pulse,
          closeLater,
        })
      : { registry: new MemoryRegistry({ lifetime, clock, uniqueAddress: config.uniqueAddress }) };
  if (clock !== undefined) closeLater(() => registry.close());
  const parts = createServiceContext({
    config,
    registry,
    lifetime,
    logger: silentLogger,
    metrics,
    deadlines: PATIENT,
  });
  const { onOutcome } = metrics.protocols;
  const now = (clock ?? hastyClock).now.bind(clock ?? hastyClock);
  const room = await driver.openRoom(
    protocolContextOf({ ...parts, options: options.protocols, now, onOutcome }, driver.protocol),
    hastyClock,
  );
  if (room.close !== undefined) closeLater(room.close);
  const source = { contentType: METRICS_TYPE, render: () => metrics.render(registry) };
  const beside = [openMetrics(source), ...openModerators(parts)];
  const server = createServer(listenTo(parts, [...openRooms(parts, beside), room]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    environment,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const close of closers.toReversed()) await close();
      pulse.stop();
    },
  };
}
