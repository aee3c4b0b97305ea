/** Probes against real sockets of this machine. Only the clock is not real. */

import { expect } from 'chai';
import { probe } from '../../../src/api/reachability/probe.ts';
import type { ProbeKind, ProbeOutcome, ProbeResult } from '../../../src/api/reachability/probe-result.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

export interface Probes {
  readonly clock: ManualClock;
  /** With a timeout of 3 s, and on 127.0.0.1 by default. */
  start(kind: ProbeKind, port: number, ip?: string): Promise<ProbeResult>;
  outcome(kind: ProbeKind, port: number, ip?: string): Promise<ProbeOutcome>;
  giveUp(): void;
  /** Runs after the test. */
  afterwards(close: () => void): void;
}

/** After each test no socket and no timer is left. */
export function useProbes(): Probes {
  let clock: ManualClock;
  let ending: AbortController;
  let closers: (() => void)[];
  let socketsBefore: number;

  beforeEach(() => {
    clock = new ManualClock();
    ending = new AbortController();
    closers = [];
    socketsBefore = openSockets();
  });

  afterEach(async () => {
    for (const close of closers) close();
    await until(() => openSockets() <= socketsBefore);
    expect(clock.timers).to.equal(0);
  });

  const start = (kind: ProbeKind, port: number, ip = '127.0.0.1'): Promise<ProbeResult> =>
    probe(kind, { ip, port }, { timeoutMs: 3000, signal: ending.signal, clock });

  return {
    get clock() {
      return clock;
    },
    start,
    outcome: async (kind, port, ip) => (await start(kind, port, ip)).outcome,
    giveUp: () => ending.abort(),
    afterwards: (close) => void closers.push(close),
  };
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((type) => /TCP|UDP/i.test(type)).length;
}
