import { expect } from 'chai';
import { LONGEST_SEARCH } from '../../../src/query/filters.ts';
import { MOST_ALTERNATIVES, MOST_PARAMETERS } from '../../../src/query/parameters.ts';
import * as limits from '../../../src/page/address/query-limits.ts';

describe('the limits of queries that the page knows', () => {
  it('are those of the service', () => {
    expect({ ...limits }).to.deep.equal({ MOST_PARAMETERS, MOST_ALTERNATIVES, LONGEST_SEARCH });
  });
});
