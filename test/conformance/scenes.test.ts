/** The scenes of the kit, as data. */

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { ABILITIES } from '../../src/conformance/scene.ts';
import { SCENES } from '../../src/conformance/scenes/scenes.ts';
import { readDocument } from '../support/markdown.ts';
import { ROOT } from '../support/program.ts';

describe('the scenes of the kit', () => {
  it('are all played, each in a file of its name', () => {
    const files = readdirSync(join(ROOT, 'src/conformance/scenes'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && path !== 'scenes.ts')
      .map((path) => basename(path, '.ts'));
    expect(SCENES.map(({ name }) => name)).to.have.members(files);
  });

  it('prove words of a document', () => {
    const unproven = SCENES.filter(
      ({ proves: [document, words] }) => !readDocument(document).includes(words),
    );
    expect(unproven.map(({ name }) => name)).to.deep.equal([]);
  });

  it('have a rule that is a sentence, and needs that there are', () => {
    for (const { rule, needs } of SCENES) {
      expect(rule).to.match(/^[A-Z].*\.$/);
      expect(ABILITIES).to.include.members([...needs]);
      expect(needs).to.not.deep.equal([]);
    }
  });
});
