/**
 * A replica in the process of the tests, which read its log as that of a process. For all that is not killed, frozen or
 * signalled: what starts a process is startReplica.
 */

import { startTestService } from './start-test-service.ts';

export interface NearReplica {
  /** The lines of its log so far, of every level. */
  readonly lines: readonly string[];
  /** Drains and ends, as after SIGTERM. Resolves once it has. */
  stop(): Promise<void>;
  /** The same without --drain-delay. */
  close(): Promise<void>;
}

/** As --drain-delay, in place of 3 s: longer than a load balancer with health checks takes to notice. */
export const DRAIN_DELAY_S = 1;

export async function startNearReplica(environment: Readonly<Record<string, string>>): Promise<NearReplica> {
  const lines: string[] = [];
  const log = (fields: object, message: string): void =>
    void lines.push(JSON.stringify({ message, ...fields }));
  const service = await startTestService(environment, { debug: log, info: log, warn: log, error: log });
  return {
    lines,
    stop: () => service.close({ delayMs: 1000 * DRAIN_DELAY_S }),
    close: () => service.close(),
  };
}
