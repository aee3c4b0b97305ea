/** bench/fleet/run.ts, small, so that the instrument does not rot. */

import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import type { FleetResult } from '../../../bench/fleet/result.ts';
import { needs } from '../../support/needs.ts';

/** The TTL is three ping intervals: a busy machine must not keep pings from coming for so long. */
const ARGS = '--servers 200 --replicas 2 --ping-interval 3 --seconds 3 --json';

needs('redis-server').describe('the simulated fleet', function () {
  this.timeout(120_000);

  it('says that no living game server was lost, and what each part cost', () => {
    const program = ['--import', 'tsx/esm', 'bench/fleet/run.ts', ...ARGS.split(' ')];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
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
