/**
 * A query of a client whose work is refused anyway is not read if it is long: to read it may take up to a millisecond.
 */

import { expect } from 'chai';
import { ServiceError } from '../../../src/model/service-error.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { ask, expectError } from '../../support/ask.ts';
import { listenerWith, type Described } from '../../support/described-service.ts';

const LONGEST_SHORT = 512;

class FullTurns extends Turns {
  override check(): void {
    throw new ServiceError('overloaded');
  }
}

describe('a query of a client whose work is refused', () => {
  let described: Described;
  before(async () => {
    described = await listenerWith(() => Promise.resolve({ turns: new FullTurns() }))();
  });
  after(() => described.close());

  for (const path of ['/servers', '/stats', '/changes', '/browse']) {
    /** Of so many characters, and not valid: who reads it answers 400. */
    const get = (characters: number) =>
      ask(described.service, `GET ${path}?${'players=x&'.repeat(60).slice(0, characters)}`);

    it(`is not read if it is long: GET ${path}`, async () => {
      expectError(await get(LONGEST_SHORT + 1), 'overloaded');
      expect((await get(LONGEST_SHORT)).status).to.equal(400);
    });
  }
});
