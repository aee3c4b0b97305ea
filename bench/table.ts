/** The results for people, in Markdown. */

import type { Results } from './results.ts';

export function printTable({ machine, rounds, seconds, rows, extras }: Results): string {
  const requests = rows.map((row) => [
    row.name,
    String(row.count),
    row.subject,
    fixed(row.requestsPerSecond, 0),
    fixed(row.p50Ms, 2),
    fixed(row.p99Ms, 2),
    fixed(row.cpuUs, 1),
    fixed(row.ratio.requestsPerSecond, 2),
    fixed(row.ratio.p99, 2),
    fixed(row.ratio.cpu, 2),
    row.goal ? `${row.goal} ${mark(row.isReached)}` : '',
    row.errors === 0 ? '' : `${row.errors} errors`,
  ]);
  const head = [
    'case',
    'servers',
    'subject',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs/req',
    '× req/s',
    '× p99',
    '× CPU',
    'goal',
    '',
  ];
  const others = extras.map((each) => [
    each.name,
    String(each.count),
    `${each.value.toFixed(1)} ${each.unit}`,
    each.goal ? `${each.goal} ${mark(each.isReached)}` : '',
  ]);
  return [
    `${machine.cores} cores (${machine.cpus}), ${machine.memoryGiB} GiB, Node ${machine.node}, ${machine.load}; ` +
      `medians of ${rounds} rounds of ${seconds} s; × is the ratio to the floor of the same case`,
    '',
    ...markdownTable(head, requests),
    '',
    ...(others.length > 0 ? markdownTable(['', 'servers', 'measured', 'goal'], others) : []),
    '',
  ].join('\n');
}

/** Nothing where nothing was answered. */
function fixed(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

function mark(isReached: boolean | undefined): string {
  return isReached === undefined ? '' : isReached ? '✓' : '✗';
}

export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...body].map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}
