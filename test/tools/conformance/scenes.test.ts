/** The scenes of the kit, as data. */

import { expect } from 'chai';
import { ABILITIES } from '../../../src/tools/conformance/abilities.ts';
import { SCENES } from '../../../src/tools/conformance/scenes/scenes.ts';
import { readDocument } from '../../support/markdown.ts';

describe('the scenes of the kit', () => {
  it('have a name each', () => {
    expect(new Set(SCENES.map(({ name }) => name)).size).to.equal(SCENES.length);
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
