/** `npm run bench -- fleet`, small, so that the instrument does not rot. */

import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { FleetResult } from '../../../bench/fleet/result.ts';
import { needs } from '../../support/needs.ts';

/** The TTL is three ping intervals: a busy machine must not keep pings from coming for so long. */
const ARGS = '--servers 200 --replicas 2 --ping-interval 3 --seconds 3 --json';

function bench(args: string) {
  const program = ['--import', 'tsx/esm', 'bench/run.ts', ...args.split(' ')];
  return spawnSync(process.execPath, program, { encoding: 'utf8' });
}

describe('npm run bench', () => {
  it('says in one line which names it knows, with code 2, for another one', () => {
    const { status, stdout, stderr } = bench('constructor');
    expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
    expect(stderr).to.match(/^npm run bench has no constructor, but requests, redis, .*\n$/);
  });

  it('has a program of each name that its help says a sentence about', () => {
    const names = [...bench('--help').stdout.matchAll(/^ {2}(\w+) +[A-Z].*\.$/gm)].map(([, name]) => name!);
    expect(names).to.include('fleet');
    for (const name of names) expect(existsSync(`bench/${name}/run.ts`), name).to.equal(true);
  });
});

needs('redis-server').describe('the simulated fleet', function () {
  this.timeout(120_000);

  it('says that no living game server was lost, and what each part cost', () => {
    const { status, stdout, stderr } = bench(`fleet ${ARGS}`);
    expect(status, stderr).to.equal(0);
    const result = JSON.parse(stdout) as FleetResult;
    expect(result.nothingLost).to.equal(true);
    expect(result.wave.broadcasts.count).to.equal(200);
    expect(result.steady.pings.count).to.be.greaterThan(100);
    expect(result.wave.checks.map(({ listed }) => listed)).to.deep.equal([200, 200]);
    expect(result.carries.map(({ part }) => part)).to.include.members(['replica', 'Redis', 'load']);
    for (const { name, rssBytes } of result.steady.parts) expect(rssBytes, name).to.be.greaterThan(0);
  });
});
