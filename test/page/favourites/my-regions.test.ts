import { expect } from 'chai';
import type { TextStorage } from '../../../src/page/favourites/kept.ts';
import { createMyRegions, MOST_REGIONS, toggleRegion } from '../../../src/page/favourites/my-regions.ts';

function memory(text: string | null = null): TextStorage & { text: string | null } {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

describe('the regions that a reader plays in', () => {
  it('outlive the visit, until they are chosen no longer', () => {
    const storage = memory();
    for (const region of ['eu', 'na', 'eu']) toggleRegion(createMyRegions(storage), region);
    expect(createMyRegions(storage).value).to.deep.equal(['na']);
  });

  it('are what is a text of whatever the storage holds', () => {
    for (const text of ['', '{', 'null', '{}', '5', '"eu"', '[1,null,{},["eu"]]'])
      expect(createMyRegions(memory(text)).value, text).to.deep.equal([]);
    const hostile = ['<b>', '\u202e', 'x'.repeat(100_000)];
    expect(createMyRegions(memory(JSON.stringify([...hostile, 7, '<b>']))).value).to.deep.equal(hostile);
  });

  it('are so many and no more', () => {
    const many = Array.from({ length: MOST_REGIONS + 9 }, (_, n) => `region ${n}`);
    const regions = createMyRegions(memory(JSON.stringify(many)));
    toggleRegion(regions, 'one more');
    expect(regions.value).to.deep.equal(many.slice(0, MOST_REGIONS));
    toggleRegion(regions, 'region 0');
    toggleRegion(regions, 'one more');
    expect(regions.value.at(-1)).to.equal('one more');
  });

  it('follow those of another tab', () => {
    const storage = memory();
    const regions = createMyRegions(storage);
    toggleRegion(createMyRegions(storage), 'eu');
    regions.follow('something else');
    expect(regions.value).to.deep.equal([]);
    regions.follow('gsls-regions');
    expect(regions.value).to.deep.equal(['eu']);
  });
});
