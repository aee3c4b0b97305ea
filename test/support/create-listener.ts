/** The public port of a service with one registry, for tests that open no whole service. */

import type { RequestListener } from 'node:http';
import type { Room } from '../../src/api/http/context.ts';
import { openMetrics } from '../../src/api/ops/open-ops.ts';
import { createPublicPort, openModerators, pathTo } from '../../src/service/listener.ts';
import { METRICS_TYPE } from '../../src/service/metrics/create-metrics.ts';
import { openRooms } from '../../src/service/rooms.ts';
import {
  createServiceContext,
  type ServiceContext,
  type ServiceContextOptions,
} from '../../src/service/service-context.ts';

/** Answers its requests, without an operations port. */
export function createListener(options: ServiceContextOptions): RequestListener {
  const context = createServiceContext(options);
  const { metrics, registry } = context;
  const source = { contentType: METRICS_TYPE, render: () => metrics.render(registry) };
  const beside = [openMetrics(source), ...openModerators(context)];
  return listenTo(context, openRooms(context, beside));
}

/** Answers the requests of a public port that has these rooms alone. */
export function listenTo(context: ServiceContext, rooms: readonly Room[]): RequestListener {
  const port = createPublicPort(context.config, context.logger, context.metrics.ofProcess);
  const path = pathTo(port, context, rooms);
  return port.listen(() => path);
}
