/** The tokens that were found valid: how long they stay so, and how many are kept. */

import { expect } from 'chai';
import { createServerTokens } from '../../../src/api/writes/server-token.ts';
import { ValidTokens } from '../../../src/api/writes/valid-tokens.ts';

describe('a token that was found valid', () => {
  it('is found again, and no other one is', () => {
    const valid = new ValidTokens();
    valid.add('one', ['a']);
    expect([valid.has('one', ['a']), valid.has('two', ['a'])]).to.deep.equal([true, false]);
  });

  it('is forgotten once the secrets are others', () => {
    const valid = new ValidTokens();
    valid.add('one', ['a', 'b']);
    for (const others of [[], ['a'], ['b', 'a'], ['a', 'b', 'c']])
      expect(valid.has('one', others)).to.equal(false);
    valid.add('two', ['a']);
    expect([valid.has('one', ['a', 'b']), valid.has('one', ['a'])]).to.deep.equal([false, false]);
    expect(valid.has('two', ['a'])).to.equal(true);
  });

  it('is kept among the latest, of which there are never more than the limit', () => {
    const valid = new ValidTokens(10);
    const tokens = Array.from({ length: 1000 }, (_, n) => `token ${n}`);
    for (const token of tokens) {
      valid.add(token, ['a']);
      expect(valid.size).to.be.at.most(10);
    }
    expect(tokens.slice(-5).every((token) => valid.has(token, ['a']))).to.equal(true);
    expect(valid.has(tokens[0]!, ['a'])).to.equal(false);
  });
});

describe('a server token that was checked before', () => {
  let secrets: readonly string[] = ['one'];
  const tokens = createServerTokens({ registryName: '', secrets: () => secrets });
  const proof = (id: string, token: string): string => tokens.proofFor(id, { 'server-token': token });
  beforeEach(() => (secrets = ['one']));

  it('proves nothing for another entry, also not for one whose id is as long or its beginning', () => {
    const token = tokens.issue('an-id');
    expect(proof('an-id', token)).to.equal('token');
    for (const id of ['an-ix', 'an-i', 'an-id.', '']) expect(proof(id, token)).to.equal('wrong');
    expect(proof('an-id', token)).to.equal('token');
  });

  it('is wrong once its secret is no more, and good again with it', () => {
    const token = tokens.issue('an-id');
    expect(proof('an-id', token)).to.equal('token');
    secrets = ['two'];
    expect(proof('an-id', token)).to.equal('wrong');
    secrets = ['two', 'one'];
    expect(proof('an-id', token)).to.equal('token');
  });

  it('leaves a wrong one wrong', () => {
    const token = tokens.issue('an-id');
    const wrong = token.replace(/.$/, token.endsWith('A') ? 'Q' : 'A');
    for (let i = 0; i < 3; i += 1) expect(proof('an-id', wrong)).to.equal('wrong');
  });
});
