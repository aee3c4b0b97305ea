/** What `npm run bench -- compare` makes of its rounds. */

import { expect } from 'chai';
import { compareRounds, type Round } from '../../bench/compare/comparison.ts';

function round(here: number, there: number, { redisUs = 0, errors = 0 } = {}): Round {
  return {
    here: { serviceUs: here, redisUs, errors },
    there: { serviceUs: there, redisUs: 2 * redisUs, errors: 0 },
  };
}

describe('the comparison of two builds', () => {
  it('takes the median of the ratios of neighbours, whatever the machine did from round to round', () => {
    // The machine is three times as slow in some rounds: the ratio of both medians would be 3.
    const [service] = compareRounds('ping', [
      round(10, 10),
      round(30, 30),
      round(33, 30),
      round(9, 10),
      round(30, 10),
    ]);
    expect(service).to.deep.include({ name: 'ping: service', here: 30, there: 10, ratio: 1 });
  });

  it('says what half of the rounds lie between', () => {
    const rounds = [5, 1, 4, 2, 3].map((cost) => round(cost, 1));
    expect(compareRounds('ping', rounds)[0]!.quartiles).to.deep.equal([2, 4]);
  });

  it('compares Redis as well where there is one', () => {
    const [, redis] = compareRounds('ping', [round(1, 1, { redisUs: 7 })]);
    expect(redis).to.deep.include({ name: 'ping: Redis', here: 7, there: 14, ratio: 0.5 });
    expect(compareRounds('ping', [round(1, 1)])).to.have.length(1);
  });

  it('counts the answers of all rounds that were no success', () => {
    const rounds = [round(1, 1, { errors: 2 }), round(1, 1), round(1, 1, { errors: 1 })];
    expect(compareRounds('ping', rounds)[0]!.errors).to.equal(3);
  });
});
