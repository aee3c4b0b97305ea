/**
 * One run: honest game servers at three replicas and a Redis, then a spammer beside them.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { startSite } from '../fleet/site.ts';
import { HOST } from '../support/processes.ts';
import { HONEST, SPAM, SpamMeter, type SpamPhase } from './spam-meter.ts';
import { startSenders } from './start-senders.ts';

export interface SpamOptions {
  readonly honest: number;
  readonly addresses: number;
  readonly broadcasts: number;
  /** How many broadcasts of the spammer are under way at a time. */
  readonly connections: number;
  readonly pingIntervalS: number;
  readonly quota: number;
  /** As for --rate-limit; '' for none. */
  readonly rateLimit: string;
  /** How long honest ones alone are measured, before the spammer and after it. */
  readonly calmS: number;
}

export interface SpamResult {
  readonly options: SpamOptions;
  readonly phases: readonly SpamPhase[];
  /** Whether every list of the spam had all honest ones, and no more of the spammer than the quota. */
  readonly isHeld: boolean;
}

const PINGS_A_TTL = 3;
const REPLICAS = 3;
const POLL_MS = 250;
/** Of the spammer, which would have a machine of its own. */
const NICENESS = 10;

export async function runSpam(options: SpamOptions, note: (line: string) => void): Promise<SpamResult> {
  const { honest, addresses, broadcasts, connections, pingIntervalS, quota, rateLimit, calmS } = options;
  const flags = [
    '--trust-proxy=loopback',
    `--max-servers-per-address=${quota}`,
    ...(rateLimit === '' ? [] : [`--rate-limit=${rateLimit}`]),
  ];
  const site = await startSite({
    replicas: REPLICAS,
    ttlS: PINGS_A_TTL * pingIntervalS,
    flags,
    isBare: true,
  });
  const ports = site.replicas.map(({ port }) => port);
  const common = { host: HOST, ports, pingIntervalMs: 1000 * pingIntervalS };
  const good = await startSenders({
    ...common,
    broadcasting: 32,
    name: HONEST,
    addresses: honest,
    firstAddress: 0,
    isPatient: true,
  });
  const bad = await startSenders(
    {
      ...common,
      broadcasting: connections,
      name: SPAM,
      // Other ones than the honest have.
      addresses,
      firstAddress: honest,
      isPatient: false,
    },
    NICENESS,
  );
  const meter = new SpamMeter(site, good, bad);
  try {
    await good.broadcast(honest);
    while ((await good.report()).listed < honest) await delay(POLL_MS);
    note(`${honest} honest game servers are listed`);
    const phases = [await meter.measure('honest alone', () => delay(1000 * calmS).then(() => undefined))];
    phases.push(
      await meter.measure('spam', async () => {
        await bad.broadcast(broadcasts);
        for (;;) {
          const { answered } = await bad.report();
          note(`${answered} broadcasts of spam`);
          if (answered >= broadcasts) return;
          await delay(4 * POLL_MS);
        }
      }),
    );
    phases.push(await meter.measure('after it', () => delay(1000 * calmS).then(() => undefined)));
    const isHeld = phases.every(
      ({ honest: [least], spam: [, most], lists }) =>
        lists.count > 0 && least === honest && most <= quota * addresses,
    );
    return { options, phases, isHeld };
  } finally {
    meter.close();
    await good.end();
    await bad.end();
    await site.close();
  }
}
