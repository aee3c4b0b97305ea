/**
 * `node test/lanes/report.mjs <file>`: what run.mjs and the tests wrote there, as tables for people: how long lanes and
 * files took, and at the end, where nobody overlooks it, which trials were tried again and what failed.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LANES } from './lanes.mjs';

const SLOWEST = 20;

export function printReport(path) {
  const lanes = [];
  const failures = [];
  const retries = [];
  let files = [];
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const entry = JSON.parse(line);
    if (entry.failed !== undefined) failures.push(entry);
    else if (entry.retried !== undefined) retries.push(entry);
    else if (entry.lane === undefined) files.push(entry);
    else {
      lanes.push({ ...entry, files });
      files = [];
    }
  }
  const rows = lanes.map(({ lane, node, seconds, code, files: own }) => [
    lane,
    node,
    `${seconds.toFixed(0)} s`,
    `${LANES[lane].goalS} s`,
    own.length === 0 ? '' : String(own.reduce((sum, { tests }) => sum + tests, 0)),
    [code === 0 ? 'passed' : 'FAILED', ...(seconds > LANES[lane].goalS ? ['over its goal'] : [])].join(', '),
  ]);
  print(['lane', 'Node', 'took', 'goal', 'tests', ''], rows);

  const longest = new Map();
  for (const { file, ms } of lanes.flatMap((lane) => lane.files))
    longest.set(file, Math.max(ms, longest.get(file) ?? 0));
  const slowest = [...longest].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  if (slowest.length > 0)
    print(
      ['slowest files', 'took'],
      slowest.map(([file, ms]) => [file, `${(ms / 1000).toFixed(1)} s`]),
    );
  if (lanes.some(({ lane }) => lane === 'faults' || lane === 'upgrade'))
    process.stdout.write(`\ntrials tried again because the machine stalled: ${retries.length}\n`);
  for (const { retried, stalledMs, reasons } of retries)
    process.stdout.write(`  after ${stalledMs} ms: ${retried}: ${reasons.join('; ')}\n`);
  for (const { failed, message } of failures) process.stdout.write(`\nfailed: ${failed}: ${message}\n`);
}

function print(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const lines = [head, ...rows].map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column])).join('  '),
  );
  process.stdout.write(`\n${lines.map((line) => line.trimEnd()).join('\n')}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printReport(process.argv[2]);
