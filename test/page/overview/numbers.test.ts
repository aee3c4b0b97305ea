import { expect } from 'chai';
import { othersOf } from '../../../src/page/overview/numbers.ts';

describe('the numbers of the overview', () => {
  it('count the servers and players that have none of the values that are named', () => {
    const totals = { servers: 9, players: 40, places: 90, empty: 1, full: 2 };
    const values = [
      { value: 'eu', servers: 5, players: 30 },
      { value: 'na', servers: 3, players: 10 },
    ];
    expect(othersOf(totals, values)).to.deep.equal({ servers: 1, players: 0 });
    expect(othersOf(totals, [])).to.deep.equal({ servers: 9, players: 40 });
  });
});
