/**
 * The operations port: a server of its own for operators and what watches the service for them. It has its own limits,
 * so no client of it can slow the public port.
 */

import type { Config } from '../config/config.ts';
import { describeOptions } from '../config/describe-options.ts';
import type { Pulse } from '../pulse.ts';
import type { Guard } from '../http/auth.ts';
import type { Room } from '../http/context.ts';
import { Routes } from '../http/routes.ts';
import { FairConnections } from '../http/server/fair-connections.ts';
import { Pace } from '../http/server/pace.ts';
import { createRequestListener, type RequestListenerOptions } from '../http/server/request-listener.ts';
import { startHttpServer, type HttpServer } from '../http/server/server.ts';
import { openOps, type ProbesContext } from './open-ops.ts';

export interface OpsPortOptions
  extends
    Omit<ProbesContext, 'describeConfig' | 'renderingPace'>,
    Omit<RequestListenerOptions, 'routes' | 'maxWaitingBytes' | 'maxPipelined' | 'onWaiting' | 'pace'> {
  readonly config: Config;
  readonly port: number;
  /** What else operators find there. */
  readonly moderation: Room;
  readonly guard: Guard;
  /** Of the program, for /debug/config. */
  readonly facts: { readonly version?: string; readonly nodeVersion?: string };
  /** Those of the operator that are in force. */
  readonly tokenSecrets: () => readonly string[];
  readonly stopping: AbortSignal;
  readonly pulse: Pulse;
}

/** The operations port cannot listen. The cause is Node's error. */
export class OpsPortError extends Error {}

/** Enough for a Prometheus, the probes and some moderators. */
const MOST_CONNECTIONS = 64;
/** The memory that answers may take while they wait for slow readers; the longest answer is one of /admin/servers. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** No scraper and no probe sends requests ahead, and one read from a socket can hold thousands. */
const MAX_PIPELINED = 10;
/** An address that was cut off may not come back at once: to read what it sends ahead takes up to 0.1 s each time. */
const REST_MS = 5000;
/** Of new connections and requests, 250 a second: at full use some percent of a core. */
const REQUEST_PACE = { most: 5, intervalMs: 20 };
/** A rendering takes some milliseconds. */
const RENDERING_PACE = { most: 1, intervalMs: 100 };

/** Rejects with an OpsPortError when it cannot listen on the address. */
export function startOpsPort(options: OpsPortOptions): Promise<HttpServer> {
  const { config, port, moderation, logError, stopping, pulse, onCutOff } = options;
  const pace = new Pace(REQUEST_PACE);
  const connections = new FairConnections({ most: MOST_CONNECTIONS, restMs: REST_MS, pace });
  const ops = openOps({
    ...options,
    renderingPace: new Pace(RENDERING_PACE),
    describeConfig: createDescription(options),
  });
  return startHttpServer({
    listener: createRequestListener({
      ...options,
      routes: new Routes([...ops.routes, ...moderation.routes]),
      maxWaitingBytes: MAX_WAITING_BYTES,
      maxPipelined: MAX_PIPELINED,
      pace,
      onCutOff(cutOff) {
        connections.rest(cutOff.remoteAddress);
        onCutOff(cutOff);
      },
    }),
    limitConnections: (server) => connections.limit(server),
    host: config.opsHost,
    port,
    stopping,
    logError,
    pulse,
  }).catch((error: unknown) => {
    throw new OpsPortError((error as Error).message, { cause: error });
  });
}

/** What /debug/config tells. */
function createDescription({ config, facts, guard, tokenSecrets }: OpsPortOptions): () => object {
  const startedAt = new Date().toISOString();
  return () => ({
    version: facts.version,
    node: facts.nodeVersion,
    started_at: startedAt,
    options: describeOptions(config, {
      key: guard.counts.authKeys,
      adminKey: guard.counts.adminKeys,
      tokenSecret: tokenSecrets().length,
    }),
  });
}
