import { expect } from 'chai';
import { LargeMap } from '../../../src/registry/snapshot/large-map.ts';

describe('a map of many ids', () => {
  it('keeps each id apart, however short or odd', () => {
    const ids = ['', 'a', 'b', 'ab', 'ba', '\u{1f600}', ...Array.from({ length: 1000 }, (_, n) => `id-${n}`)];
    const map = new LargeMap<number>();
    for (const [n, id] of ids.entries()) map.set(id, n);
    expect(ids.map((id) => map.get(id))).to.deep.equal([...ids.keys()]);
    expect([...map.values()].toSorted((a, b) => a - b)).to.deep.equal([...ids.keys()]);
    map.delete('a');
    expect([map.has('a'), map.has('b'), map.get('a')]).to.deep.equal([false, true, undefined]);
  });
});
