import { expect } from 'chai';
import { parseGlob } from '../../../src/registry/decisions/glob.ts';
import { fold } from '../../../src/model/fold.ts';
import { GlobIndex } from '../../../src/registry/decisions/glob-index.ts';

function indexOf(patterns: readonly string[]): GlobIndex<string> {
  return new GlobIndex(patterns.map((pattern) => [parseGlob(pattern)!, pattern]));
}

describe('an index of globs', () => {
  it('gives few of many globs that have a word in common', () => {
    const index = indexOf(Array.from({ length: 1000 }, (_, i) => `*casino ${1000 + i}*`));
    const candidates = index.candidates(fold('The Casino 1234 of Nowhere')).flat();
    expect(candidates).to.include('*casino 1234*');
    expect(candidates.length).to.be.below(20);
    expect(index.candidates(fold('The Casino of Nowhere')).flat()).to.deep.equal([]);
  });

  it('gives each list once, however often the text has its characters', () => {
    expect(indexOf(['*aaa*', '*aaa?']).candidates('a'.repeat(100))).to.have.length(1);
  });

  it('knows globs of one and of two characters, and texts without wildcards', () => {
    const index = indexOf(['*a?', '*bc*', 'abc', '*xabc']);
    expect(index.candidates('abc').flat()).to.have.members(['abc', '*a?', '*bc*']);
    expect(index.candidates('').flat()).to.deep.equal([]);
  });

  it('is empty without globs', () => {
    expect(indexOf([]).isEmpty).to.equal(true);
    for (const pattern of ['a', '*a']) expect(indexOf([pattern]).isEmpty).to.equal(false);
  });
});
