/** What holds of every protocol, for that of DDNet and Teeworlds. */

import { ddnetDriver } from '../../support/ddnet/ddnet-driver.ts';
import { describeProtocol } from '../../support/protocol-contract/describe-protocol.ts';

describeProtocol(ddnetDriver);
