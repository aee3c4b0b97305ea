/**
 * The processes of `npm run bench`: subjects, alone or behind HAProxy, and the pings that change the list under them.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { startHaproxy, Worker } from '../support/processes.ts';
import type { Listed, Request } from '../support/requests.ts';
import type { Order, Usage } from './subject-process.ts';
import type { SubjectOptions } from './subjects.ts';

export interface RunningSubject {
  readonly options: SubjectOptions;
  readonly port: number;
  readonly url: string;
  readonly listed: readonly Listed[];
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const SCRIPT = new URL('subject-process.ts', import.meta.url);
const REPLICAS = 3;

export async function startSubject(options: SubjectOptions): Promise<RunningSubject> {
  const worker = new Worker(SCRIPT);
  const order: Order = { order: 'serve', options };
  const { port, listed } = await worker.ask<{ port: number; listed: Listed[] }>(order);
  return {
    options,
    port,
    url: `http://127.0.0.1:${port}`,
    listed,
    usage: () => worker.ask({ order: 'usage' } satisfies Order),
    stop: () => worker.end(),
  };
}

/** Three of the subject behind HAProxy, looking like one. */
export async function startBalanced(options: SubjectOptions): Promise<RunningSubject> {
  const first = await startSubject(options);
  const others = Array.from({ length: REPLICAS - 1 }, () =>
    startSubject({ ...options, isFilled: options.name !== 'floor' }),
  );
  const replicas = [first, ...(await Promise.all(others))];
  const ports = replicas.map(({ port }) => port);
  const haproxy = await startHaproxy(ports, { configuration: 'bench/requests/haproxy.cfg' });
  return {
    ...first,
    port: haproxy.port,
    url: haproxy.url,
    async usage() {
      const usages = await Promise.all(replicas.map((replica) => replica.usage()));
      const sum = (key: keyof Usage): number => usages.reduce((total, usage) => total + usage[key], 0);
      return { cpuUs: sum('cpuUs'), rssBytes: sum('rssBytes') };
    },
    async stop() {
      await haproxy.stop();
      await Promise.all(replicas.map((replica) => replica.stop()));
    },
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
