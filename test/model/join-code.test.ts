import { expect } from 'chai';
import { joinCodeOf, readJoinCode } from '../../src/model/join-code.ts';
import { createUnlistedId } from '../../src/model/unlisted-id.ts';

describe('a join code', () => {
  it('is ten characters that are not mistaken for others, with which the id begins', () => {
    for (let i = 0; i < 1000; i += 1) {
      const id = createUnlistedId();
      expect(joinCodeOf(id)).to.match(/^[0-9A-HJKMNP-TV-Z]{10}$/);
      expect(id.startsWith(`~${joinCodeOf(id)}`)).to.equal(true);
    }
  });

  it('is understood as a person writes it', () => {
    for (const text of ['7kq01-mzx4r', ' 7KQO 1MZX4R', '7kqoimzx4r', '7KQ-O1M-ZX4R', '7kq0lmzx4r'])
      expect(readJoinCode(text)).to.equal('7KQ01MZX4R');
  });
});
