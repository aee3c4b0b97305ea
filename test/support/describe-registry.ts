/** The contract of a Backend: the whole behaviour of the Registry and of the ports beside it. */

import { describeAnnouncements } from './registry-contract/announcements.ts';
import { describeComingAndGoing } from './registry-contract/coming-and-going.ts';
import { describeDetails } from './registry-contract/details.ts';
import { describeExpiry } from './registry-contract/expiry.ts';
import { describeExpiryHold } from './registry-contract/expiry-hold.ts';
import { describeFates } from './registry-contract/fates.ts';
import { describeHistory } from './registry-contract/history.ts';
import { describeLeaseAndSecret } from './registry-contract/lease-and-secret.ts';
import { describeModeration } from './registry-contract/moderation.ts';
import { describeOwnership } from './registry-contract/ownership.ts';
import { describePredecessors } from './registry-contract/predecessors.ts';
import { describeQuotas } from './registry-contract/quotas.ts';
import { describeRequests } from './registry-contract/requests.ts';
import { describeUnlisted } from './registry-contract/unlisted.ts';
import { RegistryFixture, type OpenRegistry } from './registry-fixture.ts';

export function describeRegistry(backend: string, open: OpenRegistry): void {
  describe(`a registry in ${backend}`, () => {
    const fixture = new RegistryFixture(open);
    beforeEach(() => fixture.reopen());
    after(() => fixture.close());

    describeRequests(fixture);
    describeDetails(fixture);
    describeOwnership(fixture);
    describePredecessors(fixture);
    describeQuotas(fixture);
    describeUnlisted(fixture);
    describeModeration(fixture);
    describeExpiry(fixture);
    describeComingAndGoing(fixture);
    describeExpiryHold(fixture);
    describeAnnouncements(fixture);
    describeHistory(fixture);
    describeLeaseAndSecret(fixture);
    describeFates(fixture);
  });
}
