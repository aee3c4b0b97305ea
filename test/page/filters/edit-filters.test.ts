import { expect } from 'chai';
import { assert, property, string } from 'fast-check';
import {
  activeValues,
  boundsOf,
  rangeText,
  filterText,
  textsOf,
  toggleText,
  withTag,
  withValue,
  type FilterParameters,
} from '../../../src/page/filters/edit-filters.ts';
import { filtersText, MOST_FILTERS, parsePageUrl } from '../../../src/page/address/page-url.ts';

function filtersOf(text: string): FilterParameters {
  return parsePageUrl(text).filters;
}

describe('a change of the filters', () => {
  it('names one value more, and then one less', () => {
    const two = toggleText(filtersOf('map=a&region=eu'), 'map', 'b');
    expect(filtersText(two)).to.equal('map=a,b&region=eu');
    expect(filtersText(toggleText(two, 'map', 'a'))).to.equal('map=b&region=eu');
    expect(filtersText(toggleText(filtersOf('map=a'), 'map', 'a'))).to.equal('');
  });

  it('names no value any longer that several filters of a name have', () => {
    const both = withTag(withTag([], 'a'), 'b');
    expect(filtersText(toggleText(both, 'tags', 'b'))).to.equal('tags=a');
    expect(filtersText(toggleText(both, 'tags', 'c'))).to.equal('tags=a,c&tags=b');
    expect(filtersText(toggleText(filtersOf('tags=a,b&map=x&tags=b'), 'tags', 'b'))).to.equal('tags=a&map=x');
  });

  it('takes any text for a value that means this text', () => {
    assert(
      property(string({ minLength: 1 }), string({ minLength: 1 }), (one, other) => {
        const filters = toggleText(toggleText([], 'map', one), 'map', other);
        const again = filtersOf(filtersText(filters));
        expect(textsOf(again, 'map')).to.deep.equal(one === other ? [] : [one, other]);
        expect(filtersText(toggleText(filters, 'map', other))).to.equal(
          filtersText(one === other ? toggleText([], 'map', one) : toggleText([], 'map', one)),
        );
      }),
    );
  });

  it('leaves prefixes as they are', () => {
    const filters = toggleText(filtersOf('map=de_*'), 'map', 'de_*');
    expect(filtersText(filters)).to.equal('map=de_*,de_%2A');
    expect(textsOf(filters, 'map')).to.deep.equal(['de_*']);
  });

  it('replaces all filters of its name', () => {
    expect(filtersText(withValue(filtersOf('q=a&map=x&q=b'), 'q', 'c'))).to.equal('q=c&map=x');
    expect(filtersText(withValue(filtersOf('q=a&map=x&q=b'), 'q', ''))).to.equal('map=x');
  });

  it('narrows by one tag after the other', () => {
    const filters = withTag(withTag(withTag([], 'a,b'), 'c'), 'a,b');
    expect(filtersText(filters)).to.equal('tags=a%2Cb&tags=c');
  });

  it('makes no more filters, and no more values, than the service takes', () => {
    let filters: FilterParameters = [];
    for (let index = 0; index < 50; index += 1) {
      filters = withTag(filters, `${index}`);
      filters = toggleText(filters, 'map', `${index}`);
    }
    expect(filters).to.have.length(MOST_FILTERS);
    expect(textsOf(filters, 'map')).to.have.length(32);
  });

  it('removes one value of a filter, and leaves the others', () => {
    const filters = filtersOf('map!=a,b&q=x,y');
    const values = activeValues(filters);
    expect(values.map(({ filter, text }) => [filter.name, text])).to.deep.equal([
      ['map!', 'a'],
      ['map!', 'b'],
      ['q', 'x,y'],
    ]);
    expect(values.map(({ others }) => filtersText(others))).to.deep.equal([
      'map!=b&q=x,y',
      'map!=a&q=x,y',
      'map!=a,b',
    ]);
  });

  it('can remove a filter that says nothing', () => {
    const [value] = activeValues(filtersOf('map=,'));
    expect(value?.others).to.deep.equal([]);
  });

  it('reads the text of a search', () => {
    expect(filterText(filtersOf('q=a+b%20c'), 'q')).to.equal('a b c');
    expect(filterText([], 'q')).to.equal('');
  });
});

describe('a range of two fields', () => {
  for (const [from, to, range] of [
    ['1', '', '1..'],
    ['', '10', '..10'],
    ['4', '16', '4..16'],
    ['16', '4', '4..16'],
    ['5', '5', '5'],
    ['', '', ''],
    ['x', '007', '..7'],
    ['1234567890', '', ''],
  ] as const)
    it(`of ${JSON.stringify(from)} and ${JSON.stringify(to)} is ${JSON.stringify(range)}`, () => {
      expect(rangeText(from, to)).to.equal(range);
    });

  it('is shown by the two', () => {
    expect(['5', '1..', '..10', '4..16', 'x', '1,2'].map(boundsOf)).to.deep.equal([
      ['5', '5'],
      ['1', ''],
      ['', '10'],
      ['4', '16'],
      ['', ''],
      ['', ''],
    ]);
  });
});
