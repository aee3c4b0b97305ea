/**
 * `npm run test:all`, or `node test/lanes/run.mjs page stack`: runs lanes in turn, each whatever became of the one
 * before, then prints how long each took beside its goal, and the slowest files. Where GSLS_TEST_TIMES names a file,
 * the times go there, and report.mjs prints those of several runs.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANES } from './lanes.mjs';
import { printReport } from './report.mjs';

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in LANES));
if (unknown.length > 0) {
  process.stderr.write(`no lane ${unknown.join(', ')}: the lanes are ${Object.keys(LANES).join(', ')}\n`);
  process.exit(2);
}
const names = asked.length > 0 ? asked : Object.keys(LANES).filter((name) => name !== 'quick');
const given = process.env['GSLS_TEST_TIMES'];
const times = given ?? join(mkdtempSync(join(tmpdir(), 'gsls-tests-')), 'times.jsonl');

let failed = 0;
for (const [index, name] of names.entries()) {
  const { script, goalS } = LANES[name];
  process.stdout.write(
    `== ${name}, lane ${index + 1} of ${names.length}: npm run ${script}, goal ${goalS} s\n`,
  );
  const from = performance.now();
  const code = await run(script);
  const line = { lane: name, node: process.versions.node, seconds: (performance.now() - from) / 1000, code };
  appendFileSync(times, `${JSON.stringify(line)}\n`);
  if (code !== 0) failed += 1;
}
if (given === undefined) printReport(times);
process.exit(failed === 0 ? 0 : 1);

async function run(script) {
  const child = spawn('npm', ['run', '--silent', script], {
    env: { ...process.env, GSLS_TEST_TIMES: times },
    stdio: 'inherit',
    // On Windows npm is a script.
    shell: process.platform === 'win32',
  });
  const [code] = await once(child, 'close');
  return code;
}
