import { describeProtocol } from '../../support/protocol-contract/describe-protocol.ts';
import { luantiDriver } from './luanti-driver.ts';

describeProtocol(luantiDriver);
