/** src/model/view/api.d.ts: the types of what the page reads are those of the API. */

import { expect } from 'chai';
import { renderDetailTypes, renderPageTypes } from '../../../scripts/page-types.ts';
import { readDocument } from '../../support/markdown.ts';

describe('the types of the page', function () {
  this.timeout(60_000);

  it('are as the description of the API says: else `npm run generate -- page-types` writes them anew', async () => {
    expect(readDocument('src/model/view/api.d.ts')).to.equal(await renderPageTypes());
    expect(readDocument('clients/typescript/src/details.d.ts')).to.equal(await renderDetailTypes());
  });
});
