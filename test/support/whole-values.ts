/** Mocha requires it: what an expectation complains of is printed whole, also where the machine of the tests is gone. */

import { config } from 'chai';

config.truncateThreshold = 0;
