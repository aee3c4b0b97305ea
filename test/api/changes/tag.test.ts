import { expect } from 'chai';
import { formatTag, parseTag } from '../../../src/api/changes/tag.ts';

describe('a tag', () => {
  it('is read back as what it was made of', () => {
    for (const position of [
      { history: 'a-B_9', version: 0 },
      { history: 'x'.repeat(64), version: 2 ** 52 + 1 },
      { history: 'HEijUyL5ivk.1', version: 1795345227882552 },
    ])
      expect(parseTag(formatTag(position))).to.deep.equal(position);
    expect(formatTag({ history: 'h', version: 35 })).to.equal('h.z');
  });

  it('that GSLS has not made is no tag', () => {
    const wrong = [
      '',
      '.',
      'h',
      'h.',
      '.1',
      'h..',
      '.h.1',
      'h.01',
      'h.Z',
      'h.-1',
      'h. 1',
      'h.1\n',
      'h.1e+21',
      'ä.1',
    ];
    for (const text of [
      ...wrong,
      'h.zzzzzzzzzzz',
      'h.zzzzzzzzzzzzzz',
      `${'x'.repeat(65)}.1`,
      '"h".1',
      'h\0.1',
    ])
      expect(parseTag(text), text).to.equal(undefined);
  });
});
