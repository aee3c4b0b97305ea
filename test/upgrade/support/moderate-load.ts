/**
 * Half the load of the fault suite. An upgrade is asked what it loses, not how fast it is: so a busy machine does not
 * fail it. Every answer has to come before the client hangs up.
 */

import { FULL_LOAD, type LoadOptions } from '../../faults/support/load.ts';

export const MODERATE_LOAD: LoadOptions = {
  ...FULL_LOAD,
  fleet: 150,
  broadcastsPerSecond: 10,
  listsPerSecond: 30,
};
