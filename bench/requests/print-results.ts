/** The results of `npm run bench` for people, in Markdown. */

import type { Spread } from '../support/median.ts';
import { tableOf, type Column } from '../support/table.ts';
import { goalsOf } from './goals.ts';
import type { Results, Row } from './results.ts';

const COLUMNS: readonly Column<Row>[] = [
  ['case', ({ name }) => name],
  ['servers', ({ count }) => count],
  ['subject', ({ subject }) => subject],
  ['req/s', (row) => withSpread(row.requestsPerSecond, row.spread.requestsPerSecond, 0)],
  ['p50 ms', ({ p50Ms }) => fixed(p50Ms, 3)],
  ['p99 ms', ({ p99Ms }) => fixed(p99Ms, 2)],
  ['CPU µs/req', ({ cpuUs, spread }) => withSpread(cpuUs, spread.cpuUs, 1)],
  ['Redis µs/req', ({ redisCpuUs }) => (redisCpuUs === 0 ? '' : fixed(redisCpuUs, 1))],
  ['× req/s', ({ ratio }) => fixed(ratio.requestsPerSecond, 2)],
  ['× p50', ({ ratio }) => fixed(ratio.p50, 2)],
  ['× p99', ({ ratio }) => fixed(ratio.p99, 2)],
  ['× CPU', ({ ratio }) => fixed(ratio.cpu, 2)],
  ['goal', goalsOf],
  ['', ({ errors }) => (errors === 0 ? '' : `${errors} errors`)],
];

export function printTable({ machine, rounds, seconds, rows, extras }: Results): string {
  return [
    `${machine.cores} cores (${machine.cpus}), ${machine.memoryGiB} GiB, Node ${machine.node}, wrk; ` +
      `medians (least..most) of ${rounds} rounds of ${seconds} s; × is the ratio to the floor of the same case`,
    '',
    ...tableOf(rows, COLUMNS),
    '',
    ...tableOf(extras, [
      ['', ({ name }) => name],
      ['servers', ({ count }) => count],
      ['measured', ({ value, unit }) => `${value.toFixed(unit === 'ms' ? 2 : 1)} ${unit}`],
    ]),
    '',
  ].join('\n');
}

/** Nothing beside a single round. */
function withSpread(value: number, { min, max }: Spread, digits: number): string {
  return min === max
    ? fixed(value, digits)
    : `${fixed(value, digits)} (${fixed(min, digits)}..${fixed(max, digits)})`;
}

/** Nothing where nothing was answered. */
function fixed(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}
