/** The short scenes on the wall clock, for clients that take no other clock. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { judge } from '../../src/conformance/judge.ts';
import { SCENES } from '../../src/conformance/scenes/scenes.ts';
import { TYPESCRIPT } from './support/typescript.ts';

describe('the kit on the wall clock', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gsls-client-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('plays the short scenes alone, and passes a client that does all it has to', async () => {
    const command = await TYPESCRIPT.build(folder);
    const { verdicts } = await judge({
      command,
      scenes: SCENES,
      isReal: true,
      atOnce: 4,
      onVerdict: () => undefined,
    });
    const failures = verdicts
      .map(({ outcome }) => outcome?.failure)
      .filter((failure) => failure !== undefined);
    expect(failures).to.deep.equal([]);
    const played = verdicts.filter(({ result }) => result === 'passed').map(({ scene }) => scene.name);
    expect(played).to.have.members(SCENES.filter(({ short }) => short).map(({ name }) => name));
  });
});
