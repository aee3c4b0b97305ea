/**
 * What faults and tests of `npm run mutations` share in one process: the switch of each fault, and the reporter of
 * Mocha that notes which file of tests reached which fault.
 */

import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

const { GSLS_FAULT: active, GSLS_REACHED: path } = process.env;
const reached = new Set();

export function isOn(id) {
  if (path !== undefined) reached.add(id);
  return String(id) === active;
}

/** Mocha makes one of it with `new`. */
export default function Reporter(runner) {
  let file = '';
  let from = Date.now();
  const note = (hasFailed = false) => {
    const line = { file, ids: [...reached], ms: Date.now() - from, hasFailed };
    if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
    reached.clear();
    from = Date.now();
  };
  runner.on('suite', (suite) => {
    const next = relative(process.cwd(), suite.file ?? '');
    if (suite.root || next === file) return;
    note();
    file = next;
  });
  runner.on('fail', (test) => {
    process.stdout.write(`failed: ${test.fullTitle()}\n`);
    note(true);
  });
  runner.on('end', () => note());
}
