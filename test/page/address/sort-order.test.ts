import { expect } from 'chai';
import { firstOrder, toggledSort } from '../../../src/page/address/sort-order.ts';

describe('the order of the list', () => {
  it('is known by its first field', () => {
    expect(firstOrder('-players,name')).to.deep.equal({ field: 'players', isDescending: true });
    expect(firstOrder('name')).to.deep.equal({ field: 'name', isDescending: false });
    expect(firstOrder('')).to.deep.equal({ field: '', isDescending: false });
  });

  it('begins with the most players, and with the first name', () => {
    expect(toggledSort('name', 'players')).to.equal('-players');
    expect(toggledSort('-players', 'name')).to.equal('name');
  });

  it('is turned round by a second choice of a field', () => {
    expect(toggledSort('-players', 'players')).to.equal('players');
    expect(toggledSort('players', 'players')).to.equal('-players');
    expect(toggledSort('name', 'name')).to.equal('-name');
    expect(toggledSort('-players,name', 'players')).to.equal('players');
  });
});
