/** Which entry a broadcast is about: each row of the table in broadcast-decision.ts. */

import { expect } from 'chai';
import { decideBroadcast } from '../../src/writes/broadcast-decision.ts';

const listed = { id: '_jGC2t-VM0QnfsWfkkPY3w', proof: 'token' } as const;
const unlisted = { id: '~7KQ01MZX4R9E2WJ5TCH8VQ3NBA', proof: 'token' } as const;

const ROWS = [
  ['without a token, listed', 'none', undefined, '- listed -'],
  ['without a token, listed as it says', 'none', false, '- listed -'],
  ['without a token, unlisted', 'none', true, '- unlisted -'],
  ['that claims, listed', 'claim', undefined, '- listed -'],
  ['that claims, unlisted', 'claim', true, '- unlisted -'],
  ['with the token of a listed entry', listed, undefined, 'goes-on listed -'],
  ['with the token of a listed entry that stays listed', listed, false, 'goes-on listed -'],
  ['with the token of a listed entry that becomes unlisted', listed, true, '- unlisted replaces'],
  ['with the token of an unlisted entry', unlisted, undefined, 'goes-on listed -'],
  ['with the token of an unlisted entry that stays unlisted', unlisted, true, 'goes-on unlisted -'],
  ['with the token of an unlisted entry that becomes listed', unlisted, false, '- listed replaces'],
] as const;

describe('a broadcast', () => {
  for (const [name, intent, asked, expected] of ROWS)
    it(`${name}: ${expected}`, () => {
      const { goOnWith, isUnlisted, inPlaceOf, isClaimed } = decideBroadcast(intent, asked);
      const words = [
        goOnWith === undefined ? '-' : 'goes-on',
        isUnlisted ? 'unlisted' : 'listed',
        inPlaceOf === undefined ? '-' : 'replaces',
      ];
      expect(words.join(' ')).to.equal(expected);
      for (const former of [goOnWith, inPlaceOf]) expect([undefined, intent]).to.include(former);
      expect(isClaimed).to.equal(intent !== 'none');
    });
});
