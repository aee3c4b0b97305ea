/** The contract of a Backend: the whole behaviour of the Registry and of the ports beside it. */

import { describeAnnouncements } from './registry-contract/announcements.ts';
import { describeComingAndGoing } from './registry-contract/coming-and-going.ts';
import { describeDetails } from './registry-contract/details.ts';
import { describeExpiry } from './registry-contract/expiry.ts';
import { describeExpiryHold } from './registry-contract/expiry-hold.ts';
import { describeHistory } from './registry-contract/history.ts';
import { describeModeration } from './registry-contract/moderation.ts';
import { describeSeenPlayers } from './registry-contract/seen-players.ts';
import { describeOwnership } from './registry-contract/ownership.ts';
import { describeParking } from './registry-contract/parking.ts';
import { describePorts } from './registry-contract/ports.ts';
import { describePredecessors } from './registry-contract/predecessors.ts';
import { describeQuotas } from './registry-contract/quotas.ts';
import { describeReports } from './registry-contract/reports.ts';
import { describeRequests } from './registry-contract/requests.ts';
import { describeServerHistories } from './registry-contract/server-histories.ts';
import { describeUnlisted } from './registry-contract/unlisted.ts';
import { RegistryFixture, type OpenRegistry } from './registry-fixture.ts';

/** All calls of a backend are in these. */
const CALLS = [
  describeRequests,
  describeDetails,
  describePredecessors,
  describeUnlisted,
  describeModeration,
  describeSeenPlayers,
  describeComingAndGoing,
  describeAnnouncements,
  describeParking,
  describePorts,
];
/** The rules of these are the same wherever entries are kept. */
const RULES = [
  describeOwnership,
  describeQuotas,
  describeExpiry,
  describeExpiryHold,
  describeHistory,
  describeServerHistories,
  describeReports,
];

/** `callsAlone`: for a backend that keeps entries elsewhere than another one whose rules are tested, and has them. */
export function describeRegistry(backend: string, open: OpenRegistry, callsAlone = false): void {
  describe(`a registry in ${backend}`, () => {
    const fixture = new RegistryFixture(open);
    beforeEach(() => fixture.reopen());
    after(() => fixture.close());

    for (const describeChapter of callsAlone ? CALLS : [...CALLS, ...RULES]) describeChapter(fixture);
  });
}
