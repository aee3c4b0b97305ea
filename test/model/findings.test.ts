/** The table of causes, held to the errors of the API and to what is known of the style of its texts. */

import { expect } from 'chai';
import { FINDINGS, sentenceOf, type Cause } from '../../src/model/findings.ts';
import { ERRORS } from '../../src/model/errors.ts';

describe('the causes that the doctor finds', () => {
  it('have each error of the API among them', () => {
    expect(Object.keys(ERRORS).filter((code) => !Object.hasOwn(FINDINGS, code))).to.deep.equal([]);
  });

  it('have a sentence and one next step each, no two the same', () => {
    const texts = Object.values(FINDINGS).flatMap(({ says, nextStep }) => [says, nextStep]);
    for (const text of texts) expect(text).to.match(/^[ -~]{10,120}[^.]$/);
    expect(new Set(Object.values(FINDINGS).map(({ says }) => says)).size).to.equal(texts.length / 2);
  });

  it('say what is known of the case behind a colon', () => {
    const cause: Cause = 'banned';
    expect(sentenceOf(cause, 'spam')).to.equal('a moderator has banned this game server: spam');
    expect(sentenceOf(cause)).to.equal('a moderator has banned this game server');
  });
});
