/** Has the kit judge a client of clients/: each scene is a test, and so is what clients/README.md says of it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { judge, type Verdict } from '../../../src/tools/conformance/judge.ts';
import type { Scene } from '../../../src/tools/conformance/scene.ts';
import { SCENES } from '../../../src/tools/conformance/scenes/scenes.ts';
import { readDocument } from '../../support/markdown.ts';
import { has, needs } from '../../support/needs.ts';
import { runs } from '../../support/runs.ts';
import type { JudgedClient } from './judged-client.ts';
import { isInVoice } from './voice.ts';

/** For all scenes of a client, on a machine that is busy with others. */
const TIMEOUT_MS = 300_000;

/** All scenes. Of the day with faults six hours are played: each client has three lives in them. */
const PLAYED: readonly Scene[] = SCENES.map((scene) => {
  const [act] = scene.acts;
  return act !== undefined && 'hours' in act ? { ...scene, acts: [{ ...act, hours: runs(6) }] } : scene;
});

/** The abilities that the table in clients/README.md denies this client. */
function lackedBy(client: string): readonly string[] {
  const rows = readDocument('clients/README.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const column = rows.find((cells) => cells.includes(client))!.indexOf(client);
  return rows
    .filter((cells) => cells[column] === '–')
    .flatMap(([, can]) => [...can!.matchAll(/`(\w+)`/g)].map(([, ability]) => ability!));
}

/** Plays all scenes with the client, which is built into a folder that is removed afterwards. */
async function judgeAll(client: JudgedClient): Promise<readonly Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-client-'));
  try {
    const { verdicts } = await judge({
      command: await client.build(folder),
      scenes: PLAYED,
      isReal: false,
      // Many scenes wait on the wall clock.
      atOnce: 2 * availableParallelism(),
      onVerdict: () => undefined,
    });
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
    it('says what docs/write-a-client.md lists, in the same words', () => {
      const lines = new Set(verdicts.flatMap(({ outcome }) => outcome?.log ?? []));
      expect(lines.size).to.be.at.least(10);
      expect([...lines].filter((line) => !isInVoice(line))).to.deep.equal([]);
    });
    it('can do what the table in clients/README.md says, and no more', () => {
      const lacked = lackedBy(client.name);
      const unconcerned = SCENES.filter(
        ({ needs: all, listens }) =>
          all.some((need) => lacked.includes(need)) || (listens === 'ipv6' && !has('IPv6')),
      );
      const seen = verdicts.filter(({ result }) => result === 'not concerned');
      expect(seen.map(({ scene }) => scene.name)).to.deep.equal(unconcerned.map(({ name }) => name));
    });
  });
}
