/**
 * The processes of `npm run bench -- requests`: subjects, and the pings that change the list under them.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from '../support/processes.ts';
import type { Listed, Request } from '../support/requests.ts';
import type { Order } from './subject-process.ts';
import type { SubjectOptions } from './subjects.ts';

export interface RunningSubject {
  readonly options: SubjectOptions;
  readonly port: number;
  readonly url: string;
  readonly listed: readonly Listed[];
  /** µs of CPU that its process has used, its threads included. */
  cpuUs(): Promise<number>;
  stop(): Promise<void>;
}

const SCRIPT = new URL('subject-process.ts', import.meta.url);

export async function startSubject(options: SubjectOptions): Promise<RunningSubject> {
  const worker = new Worker(SCRIPT);
  const order: Order = { order: 'serve', options };
  const { port, listed } = await worker.ask<{ port: number; listed: Listed[] }>(order);
  return {
    options,
    port,
    url: `http://127.0.0.1:${port}`,
    listed,
    cpuUs: () => worker.ask({ order: 'usage' } satisfies Order),
    stop: () => worker.end(),
  };
}

/** Keeps changing the list at `url`; resolves with what stops it, once it is under way. */
export async function startChurn(
  url: string,
  requests: readonly Request[],
  perSecond: number,
): Promise<() => Promise<void>> {
  if (perSecond === 0) return async () => undefined;
  const worker = new Worker(SCRIPT);
  await worker.ask({ order: 'churn', url, requests, perSecond } satisfies Order);
  await delay(1000);
  return () => worker.end();
}
