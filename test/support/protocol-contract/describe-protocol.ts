/**
 * The contract of protocols: what comes of heartbeats, whatever protocol they are of. `describeProtocol(driver)` in a
 * file of tests holds a protocol to all of it.
 */

import { describeChecks } from './checks.ts';
import { describeComingAndGoing } from './coming-and-going.ts';
import { describeExpiry } from './expiry.ts';
import { describeReplicas } from './replicas.ts';
import type { ProtocolDriver } from './protocol-driver.ts';

export function describeProtocol(driver: ProtocolDriver): void {
  describe(`the protocol ${driver.protocol}`, () => {
    describeComingAndGoing(driver);
    describeExpiry(driver);
    describeChecks(driver);
    describeReplicas(driver);
  });
}
