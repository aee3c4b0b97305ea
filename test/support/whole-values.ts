/** Mocha requires it: an expectation prints the whole value that it complains of. */

import { config } from 'chai';

config.truncateThreshold = 0;
