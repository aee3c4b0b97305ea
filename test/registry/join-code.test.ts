import { expect } from 'chai';
import { createGameServerId } from '../../src/registry/game-server.ts';
import { joinCodeOf, readJoinCode } from '../../src/registry/join-code.ts';

describe('a join code', () => {
  it('is eight characters that are not mistaken for others', () => {
    for (let i = 0; i < 1000; i += 1)
      expect(joinCodeOf(createGameServerId(true))).to.match(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  });

  it('is made from the first 40 bits of the id', () => {
    expect(joinCodeOf(`~${Buffer.alloc(16).toString('base64url')}`)).to.equal('00000000');
    expect(joinCodeOf(`~${Buffer.alloc(16, 0xff).toString('base64url')}`)).to.equal('ZZZZZZZZ');
    const bits = Buffer.from([0, 0, 0, 0, 33, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]);
    expect(joinCodeOf(`~${bits.toString('base64url')}`)).to.equal('00000011');
  });

  it('is made of any text that another program puts in the place of an id', () => {
    expect(joinCodeOf('~')).to.equal('00000000');
    expect(joinCodeOf('~/?é')).to.have.lengthOf(8);
  });

  it('is understood as a person writes it', () => {
    for (const text of ['7kq0-1mzx', ' 7KQO ILZX'.replace('IL', '1M'), '7kqo1mzx', '7KQO-LMZX', '7kq0imzx'])
      expect(readJoinCode(text)).to.equal('7KQ01MZX');
  });
});
