import { expect } from 'chai';
import { Fifo } from '../../../src/api/reachability/fifo.ts';

describe('a queue', () => {
  it('gives its items in the order in which they came, and keeps none of them', () => {
    const queue = new Fifo<number>();
    const seen: number[] = [];
    for (let item = 0; item < 1000; item += 1) {
      queue.push(item);
      if (item % 3 === 0) seen.push(queue.shift()!);
    }
    while (!queue.isEmpty) {
      expect(queue.first).to.equal(seen.length);
      seen.push(queue.shift()!);
    }
    expect(seen).to.deep.equal(Array.from({ length: 1000 }, (_, item) => item));
    expect([queue.first, queue.shift(), queue.isEmpty]).to.deep.equal([undefined, undefined, true]);
  });
});
