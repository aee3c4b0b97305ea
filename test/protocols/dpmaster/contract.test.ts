/** What holds of every protocol, for that of dpmaster. */

import { dpmasterDriver } from '../../support/dpmaster/dpmaster-driver.ts';
import { describeProtocol } from '../../support/protocol-contract/describe-protocol.ts';

describeProtocol(dpmasterDriver);
