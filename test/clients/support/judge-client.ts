/** Has the kit judge a client of clients/: each scene is a test, and so is the column of the client in the table. */

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { judge, type Verdict } from '../../../src/conformance/judge.ts';
import { SCENES } from '../../../src/conformance/scenes/scenes.ts';
import { has, needs } from '../../support/needs.ts';
import type { JudgedClient } from './judged-client.ts';
import { columnOf, readTable } from './table.ts';

/** For all scenes of a client, on a machine that is busy with others. */
const TIMEOUT_MS = 300_000;

/** Plays all scenes. The client is built into a folder that is removed afterwards. */
export async function judgeAll(
  client: JudgedClient,
  onVerdict: (verdict: Verdict) => void = () => undefined,
): Promise<readonly Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-client-'));
  try {
    const command = await client.build(folder);
    const atOnce = availableParallelism();
    const { verdicts } = await judge({ command, scenes: SCENES, isReal: false, atOnce, onVerdict });
    return verdicts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Call it in a file of tests. */
export function judgeClient(client: JudgedClient): void {
  needs(...client.needs).describe(`${client.name}, judged by the kit`, function () {
    this.timeout(TIMEOUT_MS);
    let verdicts: readonly Verdict[] = [];
    before(async () => {
      verdicts = await judgeAll(client);
    });
    for (const [index, { name, rule }] of SCENES.entries())
      it(`${name}: ${rule}`, () => {
        const { result, outcome } = verdicts[index]!;
        const { failure } = outcome ?? {};
        expect(
          result,
          `${failure?.seen} instead of ${failure?.expected}; ${outcome?.complaints}`,
        ).to.not.equal('failed');
      });
    it('stands in the table of clients/README.md with what it did', () => {
      const column = columnOf(readTable(), client.name);
      // A machine without IPv6 says nothing of its scene.
      const seen = verdicts.map(({ scene, result }, index) =>
        scene.listens === 'ipv6' && !has('IPv6') ? column[index] : result,
      );
      expect(column).to.deep.equal(seen);
    });
  });
}
