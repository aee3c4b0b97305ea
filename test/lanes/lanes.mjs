/**
 * The lanes of the tests: what each holds, and how long it may take on two cores with every program installed. A lane
 * is a script of package.json; those made of `*.test.ts` have a configuration of Mocha beside this file.
 */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { filesEnding, startsProcesses } from './test-files.mjs';

/** In the order in which `npm run test:all` runs them. `quick` is a part of `test`. */
export const LANES = {
  quick: { script: 'test:quick', goalS: 40 },
  test: { script: 'test', goalS: 120 },
  page: { script: 'test:page', goalS: 150 },
  stack: { script: 'test:stack', goalS: 240 },
  clients: { script: 'test:clients', goalS: 240 },
  protocols: { script: 'test:protocols', goalS: 180 },
  upgrade: { script: 'test:upgrade', goalS: 200 },
  release: { script: 'test:release', goalS: 280 },
  compose: { script: 'test:compose', goalS: 200 },
  faults: { script: 'test:faults', goalS: 680 },
};

const testFiles = filesEnding('.test.ts');
const inChromium = testFiles.filter((path) => path.startsWith(join('test', 'page', 'browser')));
const inStack = testFiles.filter((path) => path.startsWith(join('test', 'stack')));
const inLoop = testFiles.filter((path) => !inChromium.includes(path) && !inStack.includes(path));

const faults = filesEnding('.fault.ts');
const ALONE = ['mirrors', 'nemesis'].map((name) => join('test', 'faults', `${name}.fault.ts`));
const TRIALS = { timeout: 240_000, require: ['test/faults/support/report.ts'] };

const cores = availableParallelism();

/** `jobs`: how many files run side by side. Where they wait most of the time, that is more than there are cores. */
const MOCHA = {
  quick: { spec: inLoop.filter((path) => !startsProcesses(path)), jobs: 2 * cores },
  test: { spec: inLoop, jobs: 2 * cores },
  page: { spec: inChromium, jobs: cores, require: ['test/page/support/browser-server.ts'] },
  stack: { spec: inStack, jobs: 2 * cores },
  // Clients, each before the service of the kit: they compute and wait by turns.
  clients: { spec: filesEnding('.client.ts'), jobs: 2 * cores },
  // Game servers as Debian has them. They wait for their heartbeats most of the time.
  protocols: { spec: filesEnding('.real.ts'), jobs: 2 * cores, timeout: 120_000 },
  // Trials with times for a busy machine, and a file that waits a minute for a point of a history.
  upgrade: {
    spec: filesEnding('.upgrade.ts'),
    jobs: 3,
    timeout: 300_000,
    require: ['test/upgrade/support/release.ts'],
  },
  // What people install, made once for all files.
  release: {
    spec: filesEnding('.release.ts'),
    jobs: 2,
    timeout: 300_000,
    require: ['test/release/support/made-release.ts'],
  },
  // Trials wait for deadlines most of the time; what they measure bears two at once, and no more.
  faults: { spec: faults.filter((path) => !ALONE.includes(path)), jobs: 2, ...TRIALS },
  // Part of the lane faults, after the others: faults that overlap bear nothing beside them.
  nemesis: { spec: ALONE, jobs: 1, ...TRIALS },
};
/** Long enough on a machine that is busy with other things: what a test is to show within a time, it says itself. */
const TIMEOUT_MS = 60_000;

/** The files that take longest in their lane, longest first: one that began late would run on alone. */
export const LONGEST = [
  'page/browser/axe.test.ts',
  'page/browser/near.test.ts',
  'page/browser/walk.test.ts',
  'stack/service/workers/workers.test.ts',
  'stack/service/workers/workers-lost.test.ts',
  'stack/service/haproxy-configuration.test.ts',
  'stack/api/reports/flood.test.ts',
  'stack/tools/announce/announce.test.ts',
  'stack/service/commands/serve.test.ts',
  'stack/tools/doctor/twenty-causes.test.ts',
  'stack/deploy/nginx.test.ts',
  'stack/service/redis-cluster.test.ts',
  'upgrade/rolling.upgrade.ts',
  'upgrade/oldest.upgrade.ts',
  'upgrade/lost-data.upgrade.ts',
].map((path) => join('test', ...path.split('/')));

/** The place of a file in the order of its lane. Files that start processes take longer than the others. */
function placeOf(path) {
  const place = LONGEST.indexOf(path);
  if (place !== -1) return place;
  return startsProcesses(path) ? LONGEST.length : LONGEST.length + 1;
}

/** The configuration of Mocha for a lane. */
export function mochaOf(lane) {
  const { spec, jobs, timeout = TIMEOUT_MS, require = [] } = MOCHA[lane];
  return {
    // Most of what a test makes is gone at once: a larger young generation takes a tenth off the time of a lane.
    'node-option': ['import=tsx/esm', 'max-semi-space-size=64'],
    require: [
      ...['build', 'seed', 'whole-values', 'file-times'].map((name) => `test/support/${name}.ts`),
      ...(process.env['NODE_V8_COVERAGE'] === undefined ? [] : ['test/support/take-coverage.ts']),
      ...require,
    ],
    reporter: jobs > 1 ? 'test/support/reporter.mjs' : 'spec',
    timeout,
    parallel: jobs > 1,
    jobs,
    spec: spec.toSorted((a, b) => placeOf(a) - placeOf(b)),
  };
}
