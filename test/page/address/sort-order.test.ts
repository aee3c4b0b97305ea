import { expect } from 'chai';
import { DEFAULT_SORT, firstOrder, toggledSort } from '../../../src/page/address/sort-order.ts';

describe('the order of the list', () => {
  it('is known by its first field, and that of the page by the players', () => {
    expect(firstOrder('-players,name')).to.deep.equal({ field: 'players', isDescending: true });
    expect(firstOrder('name')).to.deep.equal({ field: 'name', isDescending: false });
    expect(firstOrder('')).to.deep.equal({ field: '', isDescending: false });
    expect(firstOrder(DEFAULT_SORT)).to.deep.equal({ field: 'players', isDescending: true });
  });

  it('begins with the first name, and is turned round by a second choice of the field', () => {
    expect(toggledSort(DEFAULT_SORT, 'name')).to.equal('name');
    expect(toggledSort('-players', 'name')).to.equal('name');
    expect(toggledSort('name', 'name')).to.equal('-name');
    expect(toggledSort('-name', 'name')).to.equal('name');
  });

  it('by players begins with those that have a place, then takes the most players, then the fewest', () => {
    expect(toggledSort('name', 'players')).to.equal(DEFAULT_SORT);
    expect(toggledSort(DEFAULT_SORT, 'players')).to.equal('-players');
    expect(toggledSort('-players', 'players')).to.equal('players');
    expect(toggledSort('players', 'players')).to.equal(DEFAULT_SORT);
  });
});
