/**
 * One fault from beginning to end: a setup is under full load, something breaks and is mended, then every promise is
 * checked. A describe block has one setup; its faults come one after the other.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses } from '../../support/processes.ts';
import { Checker } from '../../support/load/checker.ts';
import { warmUp } from './warm-up.ts';
import { FULL_LOAD, Load, type LoadOptions, type Site } from '../../support/load/load.ts';
import { now, Recorder, type Operation } from '../../support/load/recorder.ts';
import { report, reportRetry, type Row } from './report.ts';
import type { Replica } from './replica.ts';
import type { Setup } from './setup.ts';
import { ownTime, watchStarved } from './starved.ts';
import { auditStore } from './store-audit.ts';

/** What a trial needs of a Setup; `replicas` are those with a process of their own. */
export type BasicSetup = Pick<Setup, 'store' | 'ttlMs' | 'replicas' | 'stop'> & Site;

export interface SetupUnderLoad<S extends BasicSetup = Setup> {
  readonly setup: S;
  readonly load: Load;
  readonly recorder: Recorder;
  readonly checker: Checker;
}

/** What clients did from before a fault until it was checked. */
export interface Window {
  /** When the fault began and when it was mended. */
  readonly from: number;
  readonly mendedAt: number;
  readonly operations: readonly Operation[];
}

export interface Fault<S extends BasicSetup = Setup> {
  /** Breaks something, and resolves once it is mended: then the time to recover begins. */
  readonly breakAndMend: (underLoad: SetupUnderLoad<S>) => Promise<void>;
  /**
   * The store meanwhile. `stays`: clients see no error at all. `away`: writes may be refused with 503. `loses data`:
   * the same, and data is lost.
   */
  readonly store: 'stays' | 'away' | 'loses data';
  /** Errors that replicas have to log. */
  readonly expectedLog?: RegExp;
  readonly recoversWithinMs?: number;
  readonly longestAnswerMs?: number;
  /** A failure while the machine stalled for longer proves nothing. LONGEST_STALL_MS unless given. */
  readonly longestStallMs?: number;
  /** More checks, for this fault only: sentences about what is wrong. */
  readonly moreReasons?: (
    window: Window,
    underLoad: SetupUnderLoad<S>,
  ) => readonly string[] | Promise<readonly string[]>;
  /** Measurements for the report. */
  readonly notes?: (window: Window) => readonly string[];
}

/** "Complete again within one second", of own time. */
const RECOVERS_WITHIN_MS = 1000;
/** "Each request is answered within 2 s." */
const LONGEST_ANSWER_MS = 2000;
/** By then there are as many visitors as there will be. */
const WARM_UP_MS = 2000;
const LONGEST_RECOVERY_MS = 15_000;
const RECOVERY_POLL_MS = 20;
/** A silent game server is gone after TTL + 2 s; the rest is for the list that shows so. */
const SWEPT_WITHIN_MS = 2500;
/** The service cannot keep its times if the machine stalls its clients, or a replica, for longer than this. */
const LONGEST_STALL_MS = 250;
const MOST_TRIES = 4;
const STALL_RESOLUTION_MS = 10;
const MEMORY_GROWTH = 1.2;
const MEMORY_LIMIT_MS = 10_000;
const MEMORY_POLL_MS = 250;

/** Opens the setup of a describe block and puts it under load; both end with the block. */
export function useSetupUnderLoad<S extends BasicSetup>(
  open: () => Promise<S>,
  load: Partial<LoadOptions> = {},
): () => SetupUnderLoad<S> {
  let setup: S | undefined;
  let underLoad: SetupUnderLoad<S> | undefined;
  before('the setup', async () => {
    setup = await open();
    const recorder = new Recorder();
    const checker = new Checker(recorder, setup.ttlMs);
    underLoad = {
      setup,
      recorder,
      checker,
      load: new Load(setup, recorder, checker, { ...FULL_LOAD, ...load }),
    };
    await underLoad.load.start();
    await delay(WARM_UP_MS);
  });
  after('the setup', async () => {
    await underLoad?.load.stop();
    await setup?.stop();
    await endProcesses();
  });
  return () => underLoad!;
}

/**
 * The test of one fault. A failure while the machine stalled proves nothing: then the fault is tried again, a few times
 * on a machine that stalls each time.
 */
export function itEndures<S extends BasicSetup>(
  title: string,
  underLoad: () => SetupUnderLoad<S>,
  fault: Fault<S>,
): void {
  const { longestStallMs = LONGEST_STALL_MS } = fault;
  it(title, () => endure(() => tryOnce(title, underLoad(), fault), longestStallMs));
}

/** What a trial found, and the longest time for which the machine stalled its clients or a replica. */
export interface Tried {
  readonly row: Row;
  readonly stalledMs: number;
}

/** Fails if the trial does; one that fails while the machine stalls is tried again, a few times. */
export async function endure(
  trial: () => Promise<Tried>,
  longestStallMs: number = LONGEST_STALL_MS,
): Promise<void> {
  for (let left = MOST_TRIES - 1; ; left -= 1) {
    const { row, stalledMs } = await trial();
    if (row.reasons.length > 0 && stalledMs > longestStallMs && left > 0) {
      reportRetry(row, stalledMs);
      continue;
    }
    expect(row.reasons, row.errors).to.deep.equal([]);
    return;
  }
}

async function tryOnce<S extends BasicSetup>(
  title: string,
  underLoad: SetupUnderLoad<S>,
  fault: Fault<S>,
): Promise<Tried> {
  const stalls = monitorEventLoopDelay({ resolution: STALL_RESOLUTION_MS });
  stalls.enable();
  const row = await tryFault(title, underLoad, fault).catch((error: Error) => {
    report({ fault: title, errors: '', lost: 0, reasons: [error.message] });
    throw error;
  });
  stalls.disable();
  const stalledMs = Math.max(stalls.max / 1e6, row.starvedMs ?? 0);
  const note = `the machine stalled for ${Math.round(stalledMs)} ms`;
  report(stalledMs > LONGEST_STALL_MS ? { ...row, notes: [...(row.notes ?? []), note] } : row);
  return { row, stalledMs };
}

/** A fault of the service becomes a reason; it never makes this reject. */
export async function tryFault<S extends BasicSetup>(
  title: string,
  underLoad: SetupUnderLoad<S>,
  fault: Fault<S>,
): Promise<Row> {
  const { setup, recorder, checker } = underLoad;
  checker.reset();
  const first = recorder.operations.length;
  await Promise.all(setup.replicas.map(warmUp));
  const memory = await Promise.all(setup.replicas.map(measureMemory));

  const outage = fault.store === 'stays' ? undefined : recorder.beginOutage(fault.store === 'loses data');
  const from = now();
  await fault.breakAndMend(underLoad);
  const mendedAt = now();
  const starved = await watchStarved(setup.replicas);
  await recover(underLoad, mendedAt);
  const recoveryMs = now() - mendedAt;
  const starvedMs = await starved();
  if (outage !== undefined) outage.to = now();

  await delay(setup.ttlMs + SWEPT_WITHIN_MS + (outage === undefined ? 0 : setup.ttlMs));
  const window = { from, mendedAt, operations: recorder.operations.slice(first) };
  const longestAnswerMs = longest(window.operations);
  const { recoversWithinMs = RECOVERS_WITHIN_MS } = fault;
  const longestAllowedMs = fault.longestAnswerMs ?? LONGEST_ANSWER_MS;
  const reasons = [
    ...(ownTime(recoveryMs, starvedMs) <= recoversWithinMs
      ? []
      : [`recovered later than after ${recoversWithinMs} ms`]),
    ...(longestAnswerMs <= longestAllowedMs ? [] : [`an answer took longer than ${longestAllowedMs} ms`]),
    ...unexpectedErrors(window.operations, fault),
    ...((await fault.moreReasons?.(window, underLoad)) ?? []),
    ...(await auditStore(setup, underLoad.load)),
    ...setup.replicas.flatMap((replica) => replica.takeMisbehaviour(fault.expectedLog)),
    ...(await grownMemory(memory)),
    ...checker.reasons,
  ];
  const errors = countErrors(window.operations);
  const notes = fault.notes?.(window) ?? [];
  return {
    fault: title,
    errors,
    longestAnswerMs,
    lost: checker.lost,
    recoveryMs,
    starvedMs,
    notes,
    reasons,
  };
}

/** Waits until each replica that serves has given a current and complete list. */
export async function recover({ setup, load }: SetupUnderLoad<BasicSetup>, mendedAt: number): Promise<void> {
  await Promise.all(
    setup.serving.map(async (replica) => {
      while (now() < mendedAt + LONGEST_RECOVERY_MS) {
        const { operation, complete } = await load.list(replica, replica.host);
        if (complete && !operation.stale) return;
        await delay(RECOVERY_POLL_MS);
      }
    }),
  );
}

/** The longest time of an answer, or of a client of HAProxy that got none. */
function longest(operations: readonly Operation[]): number {
  return operations
    .filter(({ target, outcome }) => target === 'haproxy' || outcome === '200')
    .reduce((most, { sentAt, answeredAt }) => Math.max(most, answeredAt - sentAt), 0);
}

function isError({ target, outcome }: Operation): boolean {
  return target === 'haproxy' && outcome !== '200';
}

/** As `ping 503×41, list ECONNRESET×1`. */
function countErrors(operations: readonly Operation[]): string {
  const counts = new Map<string, number>();
  for (const { kind, outcome } of operations.filter(isError)) {
    const what = `${kind} ${outcome}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${what}×${count}`).join(', ');
}

function unexpectedErrors(operations: readonly Operation[], { store }: Pick<Fault, 'store'>): string[] {
  // The checker judges a 404: a removal that met 503 may have been carried out all the same.
  const expected = store === 'stays' ? [] : ['503', '404'];
  const unexpected = operations.filter(
    (each) => isError(each) && !(each.kind !== 'list' && expected.includes(each.outcome)),
  );
  return unexpected.length === 0 ? [] : [`clients met errors: ${countErrors(unexpected)}`];
}

interface Memory {
  readonly replica: Replica;
  readonly pid: number;
  readonly bytes: number;
}

async function measureMemory(replica: Replica): Promise<Memory> {
  return { replica, pid: replica.pid, bytes: await replica.residentBytes() };
}

/** The surviving replicas that use over a fifth more memory than before, also after a while and without garbage. */
async function grownMemory(before: readonly Memory[]): Promise<string[]> {
  const survivors = before.filter(({ replica, pid }) => replica.isServing && replica.pid === pid);
  const until = now() + MEMORY_LIMIT_MS;
  for (;;) {
    const after = await Promise.all(survivors.map(async ({ replica }) => replica.residentBytes()));
    const grown = survivors.flatMap(({ replica, bytes }, index) =>
      after[index]! > bytes * MEMORY_GROWTH
        ? [`replica ${replica.host} grew from ${megabytes(bytes)} to ${megabytes(after[index]!)}`]
        : [],
    );
    if (grown.length === 0 || now() > until) return grown;
    for (const { replica } of survivors) replica.collectGarbage();
    await delay(MEMORY_POLL_MS);
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
