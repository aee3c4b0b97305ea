/** Rate limits as an operator writes them. */

import { expect } from 'chai';
import { configOf } from './config-of.ts';

describe('the option --rate-limit', () => {
  it('takes some of the kinds, with windows of a second, a minute or an hour', () => {
    const { rateLimit } = configOf({
      environment: { GSLS_RATE_LIMIT: 'broadcast=30/h, ping=240/m,list=5/s' },
    });
    expect(rateLimit).to.deep.equal([
      { kind: 'broadcast', requests: 30, windowS: 3600 },
      { kind: 'ping', requests: 240, windowS: 60 },
      { kind: 'list', requests: 5, windowS: 1 },
    ]);
  });

  it('limits nothing by default', () => expect(configOf({}).rateLimit).to.deep.equal([]));
});
