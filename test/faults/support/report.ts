/**
 * One row for each fault, also for those that failed. Mocha requires this file: it prints those of each file of tests
 * as a Markdown table, and below it each trial that was tried again. Where GSLS_TEST_TIMES names a file, each such
 * trial leaves a line there too, for the report of several lanes.
 */

import { appendFileSync } from 'node:fs';

export interface Row {
  /** Begins with its number: `T5: …`. */
  readonly fault: string;
  /** What clients of HAProxy met other than success, as `ping 503×41`. */
  readonly errors: string;
  readonly longestAnswerMs?: number;
  /** Game servers that kept pinging, and were refused as unknown or missing from a list. */
  readonly lost: number;
  /** From the end of the fault to a current and complete list on each replica. */
  readonly recoveryMs?: number;
  /** How long the machine had no core for one of the replicas meanwhile. */
  readonly starvedMs?: number;
  /** More that was measured, in words. */
  readonly notes?: readonly string[];
  /** Why it did not pass; empty if it did. */
  readonly reasons: readonly string[];
}

/** A trial that failed while the machine stalled, and was tried again. */
interface Retry {
  readonly retried: string;
  readonly stalledMs: number;
  readonly reasons: readonly string[];
}

const rows: Row[] = [];
const retries: Retry[] = [];
const TIMES = process.env['GSLS_TEST_TIMES'];

export function report(row: Row): void {
  rows.push(row);
}

export function reportRetry({ fault, reasons }: Row, stalledMs: number): void {
  const retry = { retried: fault, stalledMs: Math.round(stalledMs), reasons };
  retries.push(retry);
  if (TIMES !== undefined) appendFileSync(TIMES, `${JSON.stringify(retry)}\n`);
}

export const mochaHooks = {
  afterAll(): void {
    const sorted = rows.splice(0).toSorted((a, b) => numberOf(a) - numberOf(b));
    if (sorted.length === 0) return;
    console.log(
      [
        '',
        '| Fault | Errors seen by clients | Longest answer | Lost | Recovered after | Verdict |',
        '| --- | --- | --- | --- | --- | --- |',
        ...sorted.map(line),
        '',
      ].join('\n'),
    );
    for (const { retried, stalledMs, reasons } of retries.splice(0))
      console.log(`tried again after a stall of ${stalledMs} ms: ${retried}: ${reasons.join('; ')}`);
  },
};

function line({ fault, errors, longestAnswerMs, lost, recoveryMs, notes = [], reasons }: Row): string {
  const verdict = reasons.length === 0 ? 'pass' : `**fail**: ${reasons.join('; ')}`;
  const cells = [
    fault,
    errors || 'none',
    longestAnswerMs === undefined ? '' : `${Math.round(longestAnswerMs)} ms`,
    lost,
    recoveryMs === undefined ? '' : `${(recoveryMs / 1000).toFixed(2)} s`,
    [verdict, ...notes].join('; '),
  ];
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function numberOf({ fault }: Row): number {
  return Number(/^T(\d+)/.exec(fault)?.[1]);
}
