/** The picture of the promises against the program that it shows. */

import { expect } from 'chai';
import { createPicture } from '../../../scripts/picture.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';

const ID = /[\w-]{22}(?=")/g;

needs('redis-server', 'redis-cli', 'bash', 'curl').describe('docs/picture.svg', function () {
  this.timeout(60_000);

  it('shows what the program does: else `npm run generate -- picture` draws it anew', async () => {
    const [drawn, committed] = [await createPicture(), readDocument('docs/picture.svg')];
    expect(committed.replaceAll(ID, 'an id')).to.equal(drawn.replaceAll(ID, 'an id'));
  });
});
