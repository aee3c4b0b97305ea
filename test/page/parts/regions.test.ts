import { expect } from 'chai';
import { regionName } from '../../../src/page/parts/regions.tsx';
import { DE } from '../../../src/page/texts/de.ts';
import { EN } from '../../../src/page/texts/en.ts';

describe('the name of a region', () => {
  it('is that of the operator, else a common one in the language of the reader, else what game servers say', () => {
    const named = { eu: 'Old world', 'us-west': 'US West' };
    expect(regionName('eu', named, EN)).to.equal('Old world');
    expect(regionName('us-west', named, EN)).to.equal('US West');
    expect(regionName('eu', {}, EN)).to.equal('Europe');
    expect([regionName('oc', {}, DE), regionName('OC', {}, DE)]).to.deep.equal(['Ozeanien', 'Ozeanien']);
    expect(regionName('moon', named, EN)).to.equal('moon');
  });

  it('is what game servers say, also where that is a word of the language of programs', () => {
    for (const region of ['__proto__', 'constructor', 'toString', '<b>'])
      expect(regionName(region, {}, EN)).to.equal(region);
  });
});
