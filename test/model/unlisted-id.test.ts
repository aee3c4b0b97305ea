import { expect } from 'chai';
import { deriveGameServerId } from '../../src/model/game-server.ts';
import { deriveUnlistedId } from '../../src/model/unlisted-id.ts';
import { aGameServer } from '../support/builders.ts';

const SECRET = 'the secret of a registry';
const derive = (key: string, more = {}, secret = SECRET): string =>
  deriveUnlistedId(key, aGameServer(more), secret);

describe('the id of an unlisted entry', () => {
  it('is the same for one key, address and secret, and another for any other', () => {
    const ids = [
      derive('a key'),
      derive('another key'),
      derive('a key', { host: 'eu2.example.com' }),
      derive('a key', { ip: '203.0.113.8' }),
      derive('a key', { port: 7778 }),
      derive('a key', {}, 'another secret'),
    ];
    expect(new Set(ids).size).to.equal(ids.length);
    expect(derive('a key', { players: 9, name: 'Another' })).to.equal(ids[0]);
  });

  it('has nothing of the id that the entry would have if it were listed', () => {
    for (let n = 0; n < 20; n += 1) {
      const listed = Buffer.from(deriveGameServerId(`key ${n}`, aGameServer()), 'base64url').toString('hex');
      const unlisted = bitsOf(derive(`key ${n}`));
      for (let at = 0; at + 6 <= listed.length; at += 1)
        expect(unlisted).to.not.include(
          BigInt(`0x${listed.slice(at, at + 6)}`)
            .toString(2)
            .padStart(24, '0'),
        );
    }
  });

  it('has 130 bits, and each of them is set in half of all ids', () => {
    const counts = Array.from({ length: 130 }, () => 0);
    for (let n = 0; n < 2000; n += 1)
      Array.from(bitsOf(derive(`key ${n}`)), Number).forEach((bit, at) => (counts[at]! += bit));
    for (const count of counts) expect(count).to.be.within(850, 1150);
  });
});

/** Behind the mark. */
function bitsOf(id: string): string {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return Array.from(id.slice(1), (digit) => digits.indexOf(digit).toString(2).padStart(5, '0')).join('');
}
