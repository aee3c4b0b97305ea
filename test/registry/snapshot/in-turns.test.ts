import { expect } from 'chai';
import { inTurns } from '../../../src/registry/snapshot/in-turns.ts';

describe('a long work in turns', () => {
  it('takes everything in order, and lets other work in between', async () => {
    const actualNow = performance.now.bind(performance);
    let ms = 0;
    performance.now = () => (ms += 1.5);
    try {
      const seen: (number | string)[] = [];
      setImmediate(() => seen.push('other work'));
      await inTurns([1, 2, 3], (each) => void seen.push(each));
      expect(seen).to.deep.equal([1, 'other work', 2, 3]);
    } finally {
      performance.now = actualNow;
    }
  });
});
