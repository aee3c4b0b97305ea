import { expect } from 'chai';
import { createGameServerId } from '../../src/registry/game-server.ts';
import { joinCodeOf, readJoinCode } from '../../src/registry/join-code.ts';
import { createUnlistedId, formerUnlistedId } from '../../src/registry/unlisted-id.ts';

/** Of the id that is made of these bits. */
const formerCodeOf = (bits: Buffer): string => joinCodeOf(formerUnlistedId(bits.toString('base64url')));

describe('a join code', () => {
  it('is ten characters that are not mistaken for others, with which the id begins', () => {
    for (let i = 0; i < 1000; i += 1) {
      const id = createUnlistedId();
      expect(joinCodeOf(id)).to.match(/^[0-9A-HJKMNP-TV-Z]{10}$/);
      expect(id.startsWith(`~${joinCodeOf(id)}`)).to.equal(true);
    }
  });

  it('of an id that was made before 0.9 stays what it was: its first 40 bits', () => {
    expect(formerCodeOf(Buffer.alloc(16))).to.equal('00000000');
    expect(formerCodeOf(Buffer.alloc(16, 0xff))).to.equal('ZZZZZZZZ');
    expect(formerCodeOf(Buffer.from([0, 0, 0, 0, 33, ...Buffer.alloc(11, 255)]))).to.equal('00000011');
    for (let i = 0; i < 1000; i += 1)
      expect(joinCodeOf(formerUnlistedId(createGameServerId()))).to.match(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  });

  it('is made of any text that another program puts in the place of an id', () => {
    expect(joinCodeOf('~')).to.equal('00000000');
    expect(joinCodeOf('~/?é')).to.have.lengthOf(8);
  });

  it('is understood as a person writes it', () => {
    for (const text of ['7kq01-mzx4r', ' 7KQO 1MZX4R', '7kqoimzx4r', '7KQ-O1M-ZX4R', '7kq0lmzx4r'])
      expect(readJoinCode(text)).to.equal('7KQ01MZX4R');
  });
});
