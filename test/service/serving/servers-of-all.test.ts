/** The limit of --total-servers, in one process and among workers. */

import { expect } from 'chai';
import { ServersOfAll } from '../../../src/service/serving/servers-of-all.ts';

const MOST = 100;

describe('the limit of game servers of all registries', () => {
  for (const workers of [1, 2, 4])
    it(`holds for a burst over ${workers === 1 ? 'one process' : `${workers} workers`}`, async () => {
      let listed = 0;
      let nowMs = 0;
      const all = Array.from(
        { length: workers },
        () => new ServersOfAll({ most: MOST, workers, count: async () => listed, now: () => nowMs }),
      );
      const burst = async (): Promise<void> => {
        let letIn = 0;
        // A worker does not hear of what the others let in before it counts again.
        for (let n = 0; n < 3 * MOST; n += 1) if ((await all[n % workers]!.letIn()) === undefined) letIn += 1;
        listed += letIn;
        nowMs += 250;
      };
      await burst();
      expect(listed).to.equal(MOST);
      listed -= 10;
      await burst();
      await burst();
      expect(listed).to.be.within(MOST, MOST + workers - 1);
    });
});
